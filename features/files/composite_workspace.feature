@suite:files @world:files @persona:release_engineer
Feature: First which rules hold, then the job

  A release engineer repairs a job whose rules were moved: what it must do stands in a contract, and
  which contract is in force stands somewhere else. Each stage reads what the stage before it wrote,
  so that the right rules in the wrong place are worth little.

  Background:
    Given every tool

  Scenario: The release whose rules were moved
    Given the workspace "retrieval_guided_pipeline_repair" of difficulty 3 and seed 290
    When the agent is asked:
      """
      We moved the rules of the hours job into the release folder and since then its summary is wrong.
      README.md says how it hangs together. Please get all three stages right again, so that tonight's
      run can take other rules and other rows without anybody touching the code.
      """
    Then the work is done

  Scenario Outline: Resolve, normalise, aggregate, at difficulty <difficulty>
    Given the workspace "retrieval_guided_pipeline_repair" of difficulty <difficulty> and seed <seed>
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty | seed |
      | 1          | 291  |
      | 2          | 292  |
      | 4          | 293  |
      | 5          | 294  |
