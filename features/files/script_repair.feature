@suite:files @world:files @persona:maintainer
Feature: Scripts that went wrong

  A maintainer inherits small scripts. The smoke run passes, or nearly, and yet the numbers that come
  out are not those that the colleagues need. What is repaired has to keep its names, since others
  import it, and has to hold for other data than the sample.

  Background:
    Given every tool

  Scenario: Nobody trusts the inventory report any more
    Given the workspace "inventory_report" of difficulty 3 and seed 260
    When the agent is asked:
      """
      Stock control says that the inventory report is off, and they have stopped reading it. I wrote
      down in README.md what it is meant to do. Could you find out where it goes wrong and mend just
      that? The other teams call these functions by name, so please leave the names alone.
      """
    Then the work is done

  Scenario: The inventory report, with nobody left to ask
    Given the workspace "inventory_report" of difficulty 5 and seed 262
    When the agent is asked to do the work
    Then the work is done

  Scenario Outline: Measurements from a folder, at difficulty <difficulty>
    Given the workspace "path_batch" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 2          | 263  |
      | 4          | 264  |

  Scenario Outline: Orders whose columns were renamed, at difficulty <difficulty>
    Given the workspace "csv_schema_drift" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 1          | 265  |
      | 4          | 266  |

  Scenario Outline: Timestamps in four spellings, at difficulty <difficulty>
    Given the workspace "timestamp_normalization" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 2          | 267  |
      | 3          | 268  |

  Scenario Outline: Who plays in which team, at difficulty <difficulty>
    Given the workspace "team_roster_export" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 3          | 269  |
      | 5          | 271  |
