@suite:files @world:files @persona:data_engineer
Feature: Jobs that run at night

  A data engineer keeps small jobs that run while everybody sleeps: a configuration, a loader, a few
  steps and one artifact in the end. One of them has written nonsense. It is repaired when a run of
  it makes the right artifact, from these data and from tomorrow's, and the same one every time.

  Background:
    Given every tool

  Scenario: The hours of the teams are wrong again
    Given the workspace "team_hours_pipeline" of difficulty 3 and seed 280
    When the agent is asked:
      """
      The planning meeting looked at the team hours this morning and they cannot be right. README.md
      has what the job should do. Please repair the job itself, not only its last output: it runs
      again tonight with other data.
      """
    Then the work is done

  Scenario: Hours by team, in every spelling that there is
    Given the workspace "team_hours_pipeline" of difficulty 5 and seed 282
    When the agent is asked to do the work
    Then the work is done

  Scenario Outline: Sales by region, at difficulty <difficulty>
    Given the workspace "sales_csv_pipeline" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 2          | 283  |
      | 4          | 284  |

  Scenario Outline: Fragments that make one report, at difficulty <difficulty>
    Given the workspace "artifact_stitch_pipeline" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 1          | 285  |
      | 4          | 286  |

  Scenario Outline: Only what passes the gate, at difficulty <difficulty>
    Given the workspace "quality_gate_pipeline" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 2          | 287  |
      | 5          | 289  |
