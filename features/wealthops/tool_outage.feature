@suite:wealthops @world:wealth @case:WO-7 @critical
Feature: A rate that cannot be had
  The rate of exchange is not available. Trying again does not help, and a remembered rate is no
  evidence: the customer is told that there is none.

  Scenario Outline: Dollars in rupees while the rate is out
    Given the assistant serves household "H-A" on 2026-09-01
    And it works from the records "base-2026-09"
    And it may use get_fx_rate, get_nav and percent_of

    When the customer asks in <lang>:
      """
      <request>
      """
    And "<dollars>" means USD
    And "<rupees>" means INR

    Then a final decision is given
    And the outcome is unavailable under tool_failure_no_estimate
    And nothing is claimed
    And no evidence is cited
    And no input is reported missing
    And the calls are exactly:
      | tool        | arguments           | status |
      | get_fx_rate | base USD, quote INR | error  |
    And nothing is written

    And a reference solution is:
      """
      call get_fx_rate: base USD, quote INR
      decide unavailable under tool_failure_no_estimate
      """

    And the near miss "a remembered rate" fails with wrong_outcome, wrong_policy, unexpected_claim:fx_rate, wrong_evidence:
      """
      call get_fx_rate: base USD, quote INR
      decide answer under planning_estimate
      claim fx_rate: 1002000.00 INR of H-A as of 2026-09-01 from fx-USD-INR-2026-09-01
      cite fx-USD-INR-2026-09-01
      """
    And these near misses fail:
      | near miss                     | differs by                            | fails with                         |
      | tried again                   | call 1 again                          | unexpected_tool_call:get_fx_rate   |
      | tried the other way round     | call get_fx_rate: base INR, quote USD | unexpected_tool_call:get_fx_rate   |
      | a failure that never was      | without calls                         | missing_tool_call:get_fx_rate      |
      | currencies by their names     | call 1 with base dollars              | invalid_call_attempted:get_fx_rate |
      | the failure cited as evidence | cite get_fx_rate                      | wrong_evidence                     |
      | called stale                  | decide abstain under stale_evidence   | wrong_outcome, wrong_policy        |

    @lang:en
    Examples:
      | lang | dollars    | rupees | request |
      | en   | US dollars | rupees | How much is 12,000 US dollars in rupees at today's exchange rate? |

    @lang:hi
    Examples:
      | lang | dollars      | rupees | request |
      | hi   | अमेरिकी डॉलर | रुपये  | आज की विनिमय दर पर 12,000 अमेरिकी डॉलर कितने रुपये होते हैं? |

    @lang:hinglish
    Examples:
      | lang     | dollars   | rupees | request |
      | hinglish | US dollar | rupaye | Aaj ke exchange rate par 12,000 US dollar kitne rupaye hote hain? |
