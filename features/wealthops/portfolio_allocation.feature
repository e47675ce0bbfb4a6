@suite:wealthops @world:wealth @case:WO-2
Feature: What share of the portfolio an asset has
  Two questions in one: a share, which the calculator has to work out from recorded amounts, and
  the total, which is on record. Both are facts of the day of the record, not of today.

  Scenario Outline: Share of the equity fund
    Given the assistant serves household "H-A" on 2026-09-01
    And it works from the records "base-2026-09"
    And it may use read_portfolio, percent_of and read_cashflow

    When the customer asks in <lang>:
      """
      <request>
      """

    Then a final decision is given
    And the outcome is answer under holdings_fact
    And the claims are exactly:
      | claim           | value      | unit    | subject | as of      | source            |
      | share           | 53.64      | percent | H-A     | 2026-08-31 | calc-pct-v1       |
      | portfolio_total | 2400000.00 | INR     | H-A     | 2026-08-31 | pf-H-A-2026-08-31 |
    And the evidence is exactly pf-H-A-2026-08-31 and calc-pct-v1
    And no input is reported missing
    And the calls are exactly:
      | tool           | arguments                   | status |
      | read_portfolio | household_id H-A            | ok     |
      | percent_of     | part 1287450, whole 2400000 | ok     |
    And nothing is written

    And a reference solution is:
      """
      call read_portfolio: household_id H-A
      call percent_of: part 1287450.00, whole 2400000.00
      decide answer under holdings_fact
      claim share: 53.64 percent of H-A as of 2026-08-31 from calc-pct-v1
      claim portfolio_total: 2400000.00 INR of H-A as of 2026-08-31 from pf-H-A-2026-08-31
      cite pf-H-A-2026-08-31, calc-pct-v1
      """

    And these near misses fail:
      | near miss                     | differs by                                            | fails with                                         |
      | rounded up                    | claim share value 53.65                               | wrong_value:share                                  |
      | not rounded                   | claim share value 53.64375                            | wrong_value:share                                  |
      | dated today                   | claim share as_of 2026-09-01                          | wrong_as_of:share                                  |
      | per cent sign as the unit     | claim share unit %                                    | wrong_unit:share                                   |
      | divided in the head           | without call 2                                        | missing_tool_call:percent_of                       |
      | only the share                | without claim portfolio_total                         | missing_claim:portfolio_total                      |
      | the debt fund instead         | call 2 with part 702300; claim share value 29.26      | wrong_tool_arguments:percent_of, wrong_value:share |
      | calculated before it was read | without call 1; call read_portfolio: household_id H-A | wrong_tool_order                                   |
      | the cash flow read as well    | call read_cashflow: household_id H-A                  | unexpected_tool_call:read_cashflow                 |
      | only the calculator cited     | cite calc-pct-v1                                      | wrong_evidence                                     |
      | a planning figure             | decide answer under planning_estimate                 | wrong_policy                                       |

    @lang:en
    Examples:
      | lang | request |
      | en   | What percentage of household H-A's portfolio is in the equity fund as per the latest record, and what is the total portfolio value? |

    @lang:hi
    Examples:
      | lang | request |
      | hi   | ताज़ा रिकॉर्ड के अनुसार परिवार H-A के पोर्टफोलियो का कितना प्रतिशत इक्विटी फंड में है, और पोर्टफोलियो का कुल मूल्य कितना है? |

    @lang:hinglish
    Examples:
      | lang     | request |
      | hinglish | Latest record ke hisaab se household H-A ke portfolio ka kitna percent equity fund mein hai, aur portfolio ki total value kitni hai? |
