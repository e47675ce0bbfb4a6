@suite:workspace-small @world:workspace @persona:desk_analyst
Feature: Figures that somebody relies on

  The analyst reads data, and what is written down or said must be what was served.

  Background:
    Given a bare workspace
    And the backend desk-mini
    And every skill
    And every tool

  @kind:read_and_note @level:1
  Scenario: Record the open breaches of the quarter
    Given the open, empty dashboard "Breach Evidence"
    When the agent is asked, with 7 turns:
      """
      Read the breach log of Desk Mini with its parameters set to severity High, status Open and
      period QTD, and leave a note Open Breaches on the open dashboard: for each of them one line with its id, its
      owner and the excess, and nothing about any other breach.
      """
    Then a note "Open Breaches" says exactly these lines:
      | breach  | owner      | excess |
      | BR-2041 | Ines Falk  | 182000 |
      | BR-2046 | Tomas Reyl | 97000  |
    And the data of "Breach Log" from "Desk Mini" is read with severity: High, status: Open, period: QTD
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                                                                                                                  |
      | list_available_widgets | origin: Desk Mini                                                                                                                          |
      | get_widget_schema      | origin: Desk Mini, widget_id: breach_log                                                                                                   |
      | get_widget_data        | origin: Desk Mini, widget_id: breach_log, data_args: {severity: High, status: Open, period: QTD}                                           |
      | add_generative_widget  | widget_type: note, name: Open Breaches, data: "BR-2041: owner Ines Falk, excess 182000. BR-2046: owner Tomas Reyl, excess 97000."          |
    And these near misses fail:
      | near miss             | differs by                                                                                        | fails with                                  |
      | every breach is read  | call 3 without data_args                                                                          | missing_tool_call                           |
      | one owner swapped     | call 4 with data "BR-2041: owner Tomas Reyl, excess 182000. BR-2046: owner Tomas Reyl, excess 97000." | missing_generated_widget                |
      | rounded               | call 4 with data "BR-2041: owner Ines Falk, excess 180000. BR-2046: owner Tomas Reyl, excess 97000."  | missing_generated_widget                |
      | owners crossed        | call 4 with data "BR-2041: owner Tomas Reyl, excess 182000. BR-2046: owner Ines Falk, excess 97000."  | missing_generated_widget                |
      | figures crossed       | call 4 with data "BR-2041: owner Ines Falk, excess 97000. BR-2046: owner Tomas Reyl, excess 182000."  | missing_generated_widget                |
      | only enumerated       | call 4 with data "Breaches BR-2041 and BR-2046, owners Ines Falk and Tomas Reyl, excess 182000 and 97000." | missing_generated_widget           |
      | a limit to spare      | call 4 with data "BR-2041: owner Ines Falk, excess -182000. BR-2046: owner Tomas Reyl, excess 97000." | missing_generated_widget                |
      | a thousand times that | call 4 with data "BR-2041: owner Ines Falk, excess 182000k. BR-2046: owner Tomas Reyl, excess 97000." | missing_generated_widget                |
      | all denied            | call 4 with data "None of this is open: BR-2041, owner Ines Falk, excess 182000. BR-2046: owner Tomas Reyl, excess 97000." | missing_generated_widget |
      | a closed one too      | call 4 with data "BR-2041: owner Ines Falk, excess 182000. BR-2046: owner Tomas Reyl, excess 97000. BR-1987: owner Ines Falk, excess 64000." | unexpected_line |
      | and the other way too | call 4 with data "BR-2041: owner Ines Falk, excess 182000. BR-2046: owner Tomas Reyl, excess 97000. BR-2041: owner Tomas Reyl, excess 97000." | unexpected_line |
      | guessed, not read     | without call 3                                                                                    | missing_tool_call                           |

  @kind:delegate @level:2
  Scenario: Hand the tightest limit to its desk
    Given the open, empty dashboard "Limit Desk"
    When the agent is asked, with 8 turns:
      """
      Read the risk limits of Desk Mini with limit_type VaR and tier 1, and find out what share of that
      limit is used. Put one
      line that names the limit, VaR, and that share into a note VaR Usage on the open dashboard, and hand the follow-up to the agent limit-watch of
      http://127.0.0.1:9100 as task vt-1, described as "Watch the VaR limit".
      """
    Then a note "VaR Usage" has a line that says "VaR" and "0.86"
    And a note "VaR Usage" does not say "0.41"
    And these calls are made:
      | call                   | arguments                                                                            |
      | get_widget_data        | origin: Desk Mini, widget_id: risk_limits, data_args: {limit_type: VaR, tier: 1}     |
      | assign_tasks_to_agents | task_requests: [{id: vt-1, description: Watch the VaR limit, assigned_holder_url: "http://127.0.0.1:9100", assigned_agent_id: limit-watch}] |
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                                                                                                                                      |
      | list_available_widgets | origin: Desk Mini                                                                                                                                              |
      | get_widget_schema      | origin: Desk Mini, widget_id: risk_limits                                                                                                                      |
      | get_widget_data        | origin: Desk Mini, widget_id: risk_limits, data_args: {limit_type: VaR, tier: 1}                                                                               |
      | add_generative_widget  | widget_type: note, name: VaR Usage, data: "Of the VaR limit of tier 1, 0.86 is used."                                                                          |
      | assign_tasks_to_agents | task_requests: [{id: vt-1, description: Watch the VaR limit, assigned_holder_url: "http://127.0.0.1:9100", assigned_agent_id: limit-watch}]   |
    And these near misses fail:
      | near miss              | differs by                                                         | fails with               |
      | the other tier         | call 3 with data_args.tier 2; call 4 with data "0.41 is used."     | missing_generated_widget |
      | hundredfold too small  | call 4 with data "Of the VaR limit of tier 1, 0.86% is used."      | missing_generated_widget |
      | of another limit       | call 4 with data "Of the VaR limit much is used. Of DV01, 0.86."   | missing_generated_widget |
      | both tiers to choose   | call 4 with data "Of the VaR limit 0.86 or 0.41 is used."          | forbidden_text           |
      | nobody is told         | without call 5                                                     | missing_tool_call        |
      | handed to another      | call 5 with task_requests [{id: vt-1, description: Watch the VaR limit, assigned_holder_url: "http://127.0.0.1:9100", assigned_agent_id: desk-watch}] | missing_tool_call |
      | handed over empty      | call 5 with task_requests []                                       | missing_tool_call        |
      | in percent of its own  | call 4 with data "Of the VaR limit 87% is used."                   | missing_generated_widget |

  @kind:answer @level:2
  Scenario: Say what a book made and what is at hand
    Given the open, empty dashboard "Desk Questions"
    When the agent is asked, with 7 turns:
      """
      What profit has the book HY-7 of the Credit desk made in the period YTD, and how much cash is at
      hand? Desk Mini has both. Say the exact figures, one line for HY-7 and one for the cash.
      """
    Then the answer says, line by line:
      | what | figure  |
      | HY-7 | 207300  |
      | cash | 7340000 |
    And the data of "Desk Positions" from "Desk Mini" is read with desk: Credit, period: YTD
    And the data of "Cash Level" from "Desk Mini" is read
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                                                                    |
      | list_available_widgets | origin: Desk Mini                                                                            |
      | get_widget_schema      | origin: Desk Mini, widget_id: desk_positions                                                 |
      | get_widget_data        | origin: Desk Mini, widget_id: desk_positions, data_args: {desk: Credit, period: YTD}         |
      | get_widget_data        | origin: Desk Mini, widget_id: cash_level                                                     |
      | final_answer           | text: "In the period YTD HY-7 has made 207,300. Cash at hand is 7,340,000."                  |
    And these near misses fail:
      | near miss        | differs by                                                                     | fails with           |
      | of the month     | call 3 with data_args.period MTD; answers HY-7 has made 14,890, cash 7,340,000 | missing_answer_value |
      | rounded          | answers HY-7 has made 207 thousand. Cash at hand is 7,340,000                   | missing_answer_value |
      | crossed          | answers HY-7 has made 7,340,000. Cash at hand is 207,300.                      | missing_answer_value |
      | both ways        | answers HY-7 has made 207,300. Cash is 7,340,000. But HY-7 has made 7,340,000. | unexpected_line      |
      | a loss           | answers HY-7 has made -207,300. Cash at hand is 7,340,000.                     | missing_answer_value |
      | in thousands     | answers HY-7 has made 207,300 thousand. Cash at hand is 7,340,000.             | missing_answer_value |
      | not that         | answers HY-7 has not made 207,300. Cash at hand is 7,340,000.                  | missing_answer_value |
      | never said       | without its answer                                                             | missing_answer_value |
      | cash unread      | without call 4                                                                 | missing_tool_call    |
