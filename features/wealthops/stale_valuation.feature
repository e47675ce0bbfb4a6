@suite:wealthops @world:wealth @case:WO-6 @critical
Feature: A price that is too old
  The latest price of the fund is two months old and says itself that it may be used for five
  days. It is evidence, but not of what the units are worth today.

  Scenario Outline: Units of a fund at an old price
    Given the assistant serves household "H-A" on 2026-09-01
    And it works from the records "base-2026-09"
    And it may use get_nav, read_portfolio and percent_of

    When the customer asks in <lang>:
      """
      <request>
      """

    Then a final decision is given
    And the outcome is abstain under stale_evidence
    And nothing is claimed
    And the evidence is exactly nav-IDX50-2026-06-30
    And no input is reported missing
    And the calls are exactly:
      | tool    | arguments     | status |
      | get_nav | fund_id IDX50 | ok     |
    And nothing is written

    And a reference solution is:
      """
      call get_nav: fund_id IDX50
      decide abstain under stale_evidence
      cite nav-IDX50-2026-06-30
      """

    And the near miss "the old price as today's value" fails with wrong_outcome, wrong_policy, unexpected_claim:nav:
      """
      call get_nav: fund_id IDX50
      decide answer under holdings_fact
      claim nav: 75110.00 INR of H-A as of 2026-09-01 from nav-IDX50-2026-06-30
      cite nav-IDX50-2026-06-30
      """
    And these near misses fail:
      | near miss                    | differs by                                                                | fails with                                              |
      | abstains without a look      | without calls                                                             | missing_tool_call:get_nav                               |
      | the evidence left out        | without evidence                                                          | wrong_evidence                                          |
      | abstains, and names a value  | claim nav: 75110.00 INR of H-A as of 2026-06-30 from nav-IDX50-2026-06-30 | unexpected_claim:nav                                    |
      | the price looked up twice    | call get_nav: fund_id IDX50                                               | unexpected_tool_call:get_nav                            |
      | another fund looked up       | call 1 with fund_id IDX500                                                | wrong_tool_arguments:get_nav, wrong_tool_status:get_nav |
      | called a failure of the tool | decide unavailable under tool_failure_no_estimate                         | wrong_outcome, wrong_policy                             |

    @lang:en
    Examples:
      | lang | request |
      | en   | I hold 350 units of the fund IDX50. What are they worth today? |

    @lang:hi
    Examples:
      | lang | request |
      | hi   | मेरे पास IDX50 फंड की 350 यूनिट हैं। आज इनका मूल्य कितना है? |

    @lang:hinglish
    Examples:
      | lang     | request |
      | hinglish | Mere paas IDX50 fund ki 350 units hain. Aaj inki value kitni hai? |
