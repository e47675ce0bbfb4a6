@suite:codewiki @world:wiki @codewiki @formal
Feature: Revision

  Whoever has passed the three gates may revise the whole wiki: 22 pages lack evidence, and six
  requirements across pages are open. Each trial starts from a fresh copy and ends in the same audit.

  @id:whole_wiki @requires:codewiki:qualification:three_gates @trials:3
  Scenario: The whole wiki is repaired
    Given the case "plugins-wiki-revision"
    And the stage "formal"
    When the agent is asked, with 400 turns, 1,200 calls, 4,000,000 tokens and 3,600 seconds:
      """
      Revise the wiki: give every page the evidence that it requires, and close every requirement that is
      open across pages. list_pages says which pages lack evidence, get_status which requirements are
      open and what they demand. Read before you cite, and write each page once, with all that it needs.
      Of the structure only what an open requirement is about may change, on the pages that it names.
      When nothing is missing or open any more, call finish.
      """
    Then every page has its evidence and every requirement is closed
    And the host's audit finds no violation
    And a reference solution does what is asked
    And the candidate "half-done" fails with "coverage_unmet"
    And the candidate "evidence-only" fails with "requirement_open"
