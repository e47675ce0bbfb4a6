@suite:wealthops @world:wealth @case:WO-4
Feature: A plan that cannot be worked out yet
  The customer names a target and neither a rate nor a horizon. A good adviser asks for both and
  assumes nothing.

  Scenario Outline: A target without rate and horizon
    Given the assistant serves household "H-A" on 2026-09-01
    And it works from the records "base-2026-09"
    And it may use required_monthly_saving, future_value and percent_of

    When the customer asks in <lang>:
      """
      <request>
      """

    Then a final decision is given
    And the outcome is clarify under missing_required_inputs
    And nothing is claimed
    And no evidence is cited
    And the missing inputs are exactly annual_rate and years
    And no call is made
    And nothing is written

    And a reference solution is:
      """
      decide clarify under missing_required_inputs
      missing annual_rate, years
      """

    And the near miss "12% and 10 years assumed" fails with wrong_outcome, unexpected_tool_call:required_monthly_saving, unexpected_claim:monthly_saving:
      """
      call required_monthly_saving: target 4000000, annual_rate 0.12, years 10
      decide answer under planning_estimate
      claim monthly_saving: 17388.38 INR of H-A as of 2026-09-01 from calc-rms-v1
      cite calc-rms-v1
      """
    And these near misses fail:
      | near miss                       | differs by                                                            | fails with                                     |
      | only the horizon asked for      | missing years                                                         | wrong_missing_fields                           |
      | the target asked for as well    | missing annual_rate, target, years                                    | wrong_missing_fields                           |
      | nothing named                   | without missing inputs                                                | wrong_missing_fields                           |
      | the tool tried without the rate | call required_monthly_saving: target 4000000                          | invalid_call_attempted:required_monthly_saving |
      | worked out in secret            | call required_monthly_saving: target 4000000, annual_rate 0, years 10 | unexpected_tool_call:required_monthly_saving   |
      | turned away instead of asked    | decide unavailable under tool_failure_no_estimate                     | wrong_outcome, wrong_policy                    |

    @lang:en
    Examples:
      | lang | request |
      | en   | I want to build up ₹40 lakh. How much must I save every month? |

    @lang:hi
    Examples:
      | lang | request |
      | hi   | मुझे 40 लाख रुपये जोड़ने हैं। हर महीने कितनी बचत करनी होगी? |

    @lang:hinglish
    Examples:
      | lang     | request |
      | hinglish | Mujhe 40 lakh rupaye jodne hain. Har mahine kitni bachat karni hogi? |
