@suite:ledger @world:ledger
Feature: Moving money

  Scenario: Pay the rent
    Given the account "cash" with 1200 cents
    And the account "rent" with 0 cents
    When the agent is asked, with 3 turns, "Move 900 cents from cash to rent. 300 must stay."
    Then "rent" holds 900 cents
    And a reference moves 900 cents from "cash" to "rent"
