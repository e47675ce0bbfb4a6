@suite:wealthops @world:wealth @case:WO-1
Feature: What a lump sum may grow to
  A customer names an amount, a yearly rate and a horizon. The figure has to come from the
  calculator, and has to be said for what it is: an illustration, not a promise.

  Scenario Outline: A lump sum grows at a yearly rate
    Given the assistant serves household "H-A" on 2026-09-01
    And it works from the records "base-2026-09"
    And it may use future_value, percent_of and required_monthly_saving

    When the customer asks in <lang>:
      """
      <request>
      """
    And "<amount>" means 2500000
    And "<rate>" means 0.06

    Then a final decision is given
    And the outcome is answer under illustrative_not_guaranteed
    And the claims are exactly:
      | claim        | value      | unit | subject    | as of      | source     |
      | future_value | 3345563.94 | INR  | scenario-A | 2026-09-01 | calc-fv-v1 |
    And the evidence is exactly calc-fv-v1
    And no input is reported missing
    And the calls are exactly:
      | tool         | arguments                                    | status |
      | future_value | principal 2500000, annual_rate 0.06, years 5 | ok     |
    And nothing is written

    And a reference solution is:
      """
      call future_value: principal 2500000, annual_rate 0.06, years 5
      decide answer under illustrative_not_guaranteed
      claim future_value: 3345563.94 INR of scenario-A as of 2026-09-01 from calc-fv-v1
      cite calc-fv-v1
      """

    # Mistakes in the work.
    And these near misses fail:
      | near miss                    | differs by                                                                             | fails with                                                  |
      | simple interest              | claim future_value value 3250000.00                                                    | wrong_value:future_value                                    |
      | compounded every month       | claim future_value value 3372125.38                                                    | wrong_value:future_value                                    |
      | a paisa too much             | claim future_value value 3345563.95                                                    | wrong_value:future_value                                    |
      | a rate of 8%                 | call 1 with annual_rate 0.08; claim future_value value 3673320.19                      | wrong_tool_arguments:future_value, wrong_value:future_value |
      | six years at 5%              | call 1 with annual_rate 0.05; call 1 with years 6; claim future_value value 3350239.10 | wrong_tool_arguments:future_value, wrong_value:future_value |
      | worked out in the head       | without calls                                                                          | missing_tool_call:future_value                              |
      | the source of another tool   | claim future_value source calc-pct-v1                                                  | wrong_source:future_value                                   |
      | the household as the subject | claim future_value subject H-A                                                         | wrong_subject:future_value                                  |
      | a projection sold as a fact  | decide answer under holdings_fact                                                      | wrong_policy                                                |

    # Calls that the sandbox turns down, and talk about calls that never were.
    And these near misses fail:
      | near miss                    | differs by                                                       | fails with                                                          |
      | a number with an exponent    | call 1 with principal number 2.5e6                               | invalid_call_attempted:future_value, missing_tool_call:future_value |
      | lakh grouping in a number    | call 1 with principal 25,00,000                                  | invalid_call_attempted:future_value                                 |
      | a percentage for a fraction  | call 1 with annual_rate number 6                                 | invalid_call_attempted:future_value                                 |
      | a tool that does not exist   | call compound: amount 2500000                                    | denied_call_attempted:compound                                      |
      | a tool outside the scope     | call cover_months: liquid_assets 1, monthly_expenses 1           | denied_call_attempted:cover_months                                  |
      | a call that is only reported | without calls; also say {"tool_calls":[{"name":"future_value"}]} | missing_tool_call:future_value                                      |
      | a mark given to itself       | without evidence; also say {"passed":true,"writes":0}            | wrong_evidence                                                      |
      | always one more look         | call 1 again; call 1 again; call 1 again                         | runtime:decision_limit_exceeded, unexpected_tool_call:future_value  |

    # Replies that are not one JSON object of the protocol.
    And these near misses fail:
      | near miss                    | differs by             | fails with               |
      | two objects in one reply     | reply twice at once    | runtime:invalid_json     |
      | a fenced object              | reply in a code fence  | runtime:invalid_json     |
      | words before the object      | reply after a remark   | runtime:invalid_json     |
      | words after the object       | reply before a remark  | runtime:invalid_json     |
      | an object that is cut        | reply cut short        | runtime:invalid_json     |
      | a list around the object     | reply in a list        | runtime:invalid_decision |
      | the result without its frame | reply as a bare result | runtime:invalid_decision |

    @lang:en
    Examples:
      | lang | amount   | rate | request |
      | en   | ₹25 lakh | 6%   | I have ₹25 lakh to invest today. If it grows at 6% a year, compounded once a year, what will it be worth after 5 years? Call this scenario-A. |

    @lang:hi
    Examples:
      | lang | amount | rate | request |
      | hi   | 25 लाख | 6%   | मेरे पास आज निवेश करने के लिए 25 लाख रुपये हैं। अगर यह रकम साल में एक बार चक्रवृद्धि होकर 6% सालाना की दर से बढ़े, तो 5 साल बाद कितनी हो जाएगी? इसे scenario-A कहिए। |

    @lang:hinglish
    Examples:
      | lang     | amount  | rate | request |
      | hinglish | 25 lakh | 6%   | Mere paas aaj invest karne ke liye 25 lakh rupaye hain. Agar yeh rakam saal mein ek baar compound hokar 6% saalana ke rate se badhe, to 5 saal baad kitni ho jayegi? Ise scenario-A kaho. |
