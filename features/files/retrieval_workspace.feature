@suite:files @world:files @persona:service_owner
Feature: What the documents say

  The owner of a service has a folder of contracts, notes and logs. Some are in force and some were
  overtaken, and nothing else tells which. A configuration, a plan or a report has to say what is in
  force: word for word, for machines read it.

  Background:
    Given every tool

  Scenario: The config that the release waits for
    Given the workspace "service_config_reconciliation" of difficulty 4 and seed 230
    When the agent is asked:
      """
      The release train leaves at four and our config still has last year's values in it. What counts
      is written down somewhere under specs and notes; there is older stuff lying about as well, so
      please look which of them is in force. Put the right values in place, nothing else.
      """
    Then the work is done
    And each of its traps fails with "output_mismatch"

  Scenario Outline: A config that agrees with its contract, at difficulty <difficulty>
    Given the workspace "service_config_reconciliation" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    And each of its traps fails with "output_mismatch"
    Examples:
      | difficulty | seed |
      | 1          | 231  |
      | 2          | 232  |
      | 3          | 233  |
      | 5          | 234  |

  Scenario Outline: A plan for the new schema, at difficulty <difficulty>
    Given the workspace "migration_plan_bundle" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    And each of its traps fails with "output_mismatch"
    Examples:
      | difficulty | seed |
      | 1          | 235  |
      | 3          | 236  |
      | 4          | 237  |
      | 5          | 238  |

  Scenario Outline: The report of an incident, at difficulty <difficulty>
    Given the workspace "incident_report_bundle" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    And each of its traps fails with "output_mismatch"
    Examples:
      | difficulty | seed |
      | 1          | 239  |
      | 2          | 240  |
      | 4          | 241  |
      | 5          | 242  |

  # From here on the documents are about a function, which is called with answers that nobody has seen.

  Scenario Outline: A client that follows its interface, at difficulty <difficulty>
    Given the workspace "client_adapter_sync" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 2          | 243  |
      | 5          | 250  |

  Scenario Outline: Contract, parser and summary that agree, case <seed>
    Given the workspace "client_adapter_policy_sync" of difficulty 5 and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | seed |
      | 252  |
      | 253  |

  Scenario Outline: Clients of two versions, case <seed>
    Given the workspace "versioned_client_migration" of difficulty 5 and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | seed |
      | 257  |
      | 258  |
