@suite:counter @world:counter @persona:clerk
Feature: Adding to the counter

  @level:1
  Scenario Outline: One addition
    When the agent is asked, with 3 turns, "Add <amount> to the counter."
    Then the counter shows <amount>
    And a reference adds <amount>

    Examples:
      | amount |
      | 5      |
      | 6      |
      | 7      |
      | 8      |
      | 9      |
      | 10     |
      | 11     |
      | 12     |
      | 13     |
      | 14     |
      | 15     |
      | 16     |
      | 17     |
      | 18     |
      | 19     |
      | 20     |
      | 21     |
      | 22     |
      | 23     |
      | 24     |
      | 25     |
      | 26     |
