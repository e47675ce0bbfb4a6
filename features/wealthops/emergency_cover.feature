@suite:wealthops @world:wealth @case:WO-3
Feature: How long the cash lasts
  Cash over essential monthly expenses. Both are on record, in two places, and may be read in
  either order; there is exactly one decision left for the calculation.

  Scenario Outline: Months of expenses in cash
    Given the assistant serves household "H-A" on 2026-09-01
    And it works from the records "base-2026-09"
    And it may use read_portfolio, read_cashflow, cover_months and percent_of

    When the customer asks in <lang>:
      """
      <request>
      """

    Then a final decision is given
    And the outcome is answer under planning_estimate
    And the claims are exactly:
      | claim | value | unit   | subject | as of      | source      |
      | cover | 3.58  | months | H-A     | 2026-08-31 | calc-cov-v1 |
    And the evidence is exactly pf-H-A-2026-08-31, cf-H-A-2026-08 and calc-cov-v1
    And no input is reported missing
    And the calls are exactly:
      | tool           | arguments                                    | status |
      | read_portfolio | household_id H-A                             | ok     |
      | read_cashflow  | household_id H-A                             | ok     |
      | cover_months   | liquid_assets 245000, monthly_expenses 68500 | ok     |
    And these calls are as good:
      | tool           | arguments                                    | status |
      | read_cashflow  | household_id H-A                             | ok     |
      | read_portfolio | household_id H-A                             | ok     |
      | cover_months   | liquid_assets 245000, monthly_expenses 68500 | ok     |
    And nothing is written

    And a reference solution is:
      """
      call read_portfolio: household_id H-A
      call read_cashflow: household_id H-A
      call cover_months: liquid_assets 245000.00, monthly_expenses 68500.00
      decide answer under planning_estimate
      claim cover: 3.58 months of H-A as of 2026-08-31 from calc-cov-v1
      cite pf-H-A-2026-08-31, cf-H-A-2026-08, calc-cov-v1
      """

    And these near misses fail:
      | near miss                     | differs by                                                                                 | fails with                                                          |
      | rounded down                  | claim cover value 3.57                                                                     | wrong_value:cover                                                   |
      | one decimal                   | claim cover value 3.6                                                                      | wrong_value:cover                                                   |
      | the whole portfolio as cash   | call 3 with liquid_assets 2400000; claim cover value 35.04                                 | wrong_tool_arguments:cover_months, wrong_value:cover                |
      | one record read twice         | first call read_cashflow: household_id H-A                                                 | runtime:decision_limit_exceeded, unexpected_tool_call:read_cashflow |
      | calculated before it was read | first call cover_months: liquid_assets 245000, monthly_expenses 68500; without call 4      | wrong_tool_order                                                    |
      | divided in the head           | without call 3                                                                             | missing_tool_call:cover_months                                      |
      | a share in place of the cover | without call 3; call percent_of: part 245000, whole 68500                                  | missing_tool_call:cover_months, unexpected_tool_call:percent_of     |
      | the expenses claimed as well  | claim essential_monthly_expenses: 68500.00 INR of H-A as of 2026-08-31 from cf-H-A-2026-08 | unexpected_claim:essential_monthly_expenses                         |
      | only the calculator cited     | cite calc-cov-v1                                                                           | wrong_evidence                                                      |

    @lang:en
    Examples:
      | lang | request |
      | en   | For how many months would household H-A's cash cover its essential monthly expenses? Use the latest records. |

    @lang:hi
    Examples:
      | lang | request |
      | hi   | परिवार H-A के पास जो नकद है, उससे उसके ज़रूरी मासिक खर्च कितने महीने चल सकते हैं? ताज़ा रिकॉर्ड का इस्तेमाल कीजिए। |

    @lang:hinglish
    Examples:
      | lang     | request |
      | hinglish | Household H-A ke paas jo cash hai, usse uske zaroori monthly kharche kitne mahine chal sakte hain? Latest records use karna. |
