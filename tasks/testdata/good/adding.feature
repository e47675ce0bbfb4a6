# The plainest feature: what most files look like.
@suite:counting @world:counter @persona:clerk
Feature: Adding
  A counter is read and raised. This text is free, and may say what it likes:
  even a colon.

  Background:
    Given a counter at 3
    And at most 4 turns

  @level:1 @level:1
  Scenario: Add two
    When the agent is asked "Add two."
    Then the counter stands at 5
    And the reference adds 2
    And the reference answers done
    And the near miss "one too many" fails with "wrong_value"
    And it adds 3

  @id:twice
  Scenario: Add two, twice – “carefully”
    Given "5" is said as "two more"
    When the agent is asked:
      """
      Add two.

        Then tell me.
      """
    Then the counter stands at 5
    And the next ask depends on this
    When the agent is asked, with 2 turns:
      """markdown
      And again, with \"\"\"quotes\"\"\".
      """
    Then the counter stands at 7
    And the planted value "AX-77"
    * the reference adds 2
    * the reference answers 5
    * the reference adds 2
    * the reference answers 7

  @level:2
  Scenario Outline: Add <n>
    Given a counter of "<unit>"
    When the agent is asked "Add <n> <unit>."
    Then the counter stands at <sum>
    And the counters are:
      | name   | value |
      | <unit> | <sum> |
      | a\|b   | \\    |
    And the reference adds <n>
    And the reference answers <sum> <unit>

    @smoke
    Examples: few
      | key   | n | unit   | sum |
      | One   | 1 | apples | 4   |
      | two.5 | 2 | rupees | 5   |

    @requires:add_one
    Examples: many
      | key     | n   | unit   | sum |
      | hundred | 100 | shares | 103 |
