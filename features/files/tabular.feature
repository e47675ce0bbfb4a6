@suite:files @world:files @persona:operations_analyst
Feature: Reports from exports

  An operations analyst gets exports from several systems: dates in three spellings, rows that came
  twice, columns that nobody uses any more. Somebody waits for one small report that can be relied
  on. Whether it can is seen in its rows alone, so that is what is looked at.

  Background:
    Given every tool

  Scenario: The finance lead wants the month's figures
    Given the workspace "monthly_segment_report" of difficulty 3 and seed 200
    When the agent is asked:
      """
      Finance closes the month today and needs the orders by month and segment. The exports are in
      data, and README.md says how we count and where the report goes. Please write it exactly in
      that shape: it is loaded as it is, nobody will look it over.
      """
    Then the work is done
    And each of its traps fails with "output_mismatch"

  Scenario Outline: Orders by month, at difficulty <difficulty>
    Given the workspace "monthly_segment_report" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    And each of its traps fails with "output_mismatch"
    Examples:
      | difficulty | seed |
      | 1          | 201  |
      | 2          | 202  |
      | 4          | 203  |
      | 5          | 204  |

  Scenario Outline: Orders by channel and status, at difficulty <difficulty>
    Given the workspace "channel_status_pivot" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    And each of its traps fails with "output_mismatch"
    Examples:
      | difficulty | seed |
      | 1          | 205  |
      | 2          | 206  |
      | 3          | 207  |
      | 4          | 208  |

  Scenario Outline: Refunds by week and region, at difficulty <difficulty>
    Given the workspace "weekly_refund_rollup" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    And each of its traps fails with "output_mismatch"
    Examples:
      | difficulty | seed |
      | 1          | 209  |
      | 3          | 210  |
      | 4          | 211  |
      | 5          | 212  |

  Scenario Outline: What each warehouse has to order, at difficulty <difficulty>
    Given the workspace "supplier_restock_summary" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    And each of its traps fails with "output_mismatch"
    Examples:
      | difficulty | seed |
      | 2          | 213  |
      | 4          | 214  |
      | 5          | 215  |

  # From here on the report is made by a program, which is run again on data that nobody has seen.

  Scenario Outline: Mend the program that makes the report, case <seed>
    Given the workspace "account_event_program_synthesis" of difficulty 5 and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | seed |
      | 216  |
      | 218  |

  Scenario Outline: Find the policy in force, and a program that keeps to it, case <seed>
    Given the workspace "account_event_reconciliation" of difficulty 5 and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | seed |
      | 217  |
      | 219  |
