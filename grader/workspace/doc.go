// Package workspace grades what an agent left behind in an analyst's workspace.
//
// Each rule is plain data with the names of the published task format, and each is also a Gomega
// matcher over an episode:
//
//	Expect(episode).To(workspace.HoldWidget("Compliance Hub", "policy_breaches", map[string]any{"status": "Open"}))
//	Expect(episode).To(workspace.NoteSays("Evidence Note", "evidence gaps"))
//	Expect(episode).To(workspace.OtherDashboardsKept())
//
// # The rules and their codes
//
// State:
//
//	[DashboardNameRule]   dashboard_name
//	[TabRule]             missing_tab
//	[TabNameRule]         missing_tab_name
//	[WidgetRule]          missing_widget, misconfigured_widget, too_many_widgets
//	[GeneratedRule]       missing_generated_widget, too_many_widgets, unexpected_line
//	[UnsaidRule]          forbidden_text
//	[ExactRule]           missing_widget, misconfigured_widget, unexpected_widget
//	[LayoutRule]          layout_mismatch
//	[GridRule]            layout_out_of_grid
//	[OverlapRule]         layout_overlap
//	[AnswerRule]          missing_final_answer
//	[AnswerSaysRule]      missing_answer_value
//	[AnswerLinesRule]     missing_answer_value, unexpected_line
//	[WidgetDefRule]       missing_custom_backend, backend_validation_warnings, missing_widget_def, widget_def_mismatch
//	[AppDefRule]          missing_custom_backend, backend_validation_warnings, missing_app_def, app_def_mismatch,
//	                      app_prompts_missing, app_layout_ref_invalid, app_layout_overlap
//	[AppStructureRule]    missing_app_def, app_layout_ref_invalid, app_layout_overlap
//	[BackendRule]         missing_custom_backend, backend_url, unexpected_widget_def, unexpected_param, unexpected_setting,
//	                      unexpected_app_def, unexpected_app_content
//	[CapabilityRule]      missing_capability, capability_fields_uncovered, capability_param_missing, capability_config_missing
//	[ConnectionRule]      capability_unconnected
//	[BusinessNameRule]    business_name_missing
//
// Trace:
//
//	[AppOpenedRule]       app_not_opened
//	[CallsRule]           missing_tool_call
//	[ToolResultRule]      missing_tool_result
//	[ResourceReadRule]    missing_resource_read
//	[InvalidCallsRule]    too_many_invalid_calls
//	[SchemaFirstRule]     schema_not_called_before_create
//	[ListedRule]          widget_list_not_called_before_use, unlisted_widget_id
//	[SnapshotsRule]       repeated_snapshots
//
// Preservation:
//
//	[OtherDashboardsRule] collateral_dashboard_change
//	[BackendsKeptRule]    custom_backend_replaced
//	[BackendNamesRule]    duplicate_custom_backend_name
//	[BackendWarningsRule] backend_validation_warnings
//	[OtherAppsRule]       collateral_app_change
//	[CreatedRule]         unexpected_dashboard_created, unexpected_backend_created
//	[NothingElseRule]     those of this section, and collateral_widget_change, collateral_backend_change, unexpected_widget,
//	                      unexpected_delegation
//
// Runtime:
//
//	[RuntimeRule]         endpoint_unreachable, endpoint_params_invalid, endpoint_response_incompatible, form_submission_incompatible,
//	                      endpoint_bad_status, endpoint_response_malformed, endpoint_response_placeholder
//
// # How values are compared
//
// Arguments of widgets and calls are compared by leaf equality: a list of one element equals the element,
// a number equals a text that spells the same number, booleans are booleans, and two texts are equal
// to the letter. What is demanded is a subset of what is there; an absent key is null.
//
// Definitions are compared key by key without conversions; renderFn holds at least the wanted names.
//
// Names of dashboards, tabs, notes and the like are compared as phrases where a rule says what they contain: a
// part of the name in any case, or its meaningful words in their order. Where it says the name, that is to the
// letter.
//
// What a note, table, result or document says is looked for as a fragment: as it is, by its words, or, if
// it is a number, by its value within 1e-9. An answer's values are looked for to the letter, but for case, and
// numbers by their exact value.
//
// A number is found only as itself. Its sign is part of it: a minus, the words minus and negative, and brackets
// where a figure is expected ("P&L: (207,300)", not "Ines Falk (207,300)"); a dash between words is no sign. So is
// its scale, be it beside it or in the label, column or line above: 25%, 207.3 thousand and "P&L (k): 207.3"
// are 0.25, 207300 and 207300, and "0.86%" is not 0.86. A multiple (4.18x) or percentage point has
// no equal. A currency is no part of it.
//
// Blanks, apostrophes, commas and repeated points group digits; "182.000" is 182 or 182000, whichever is demanded. A product
// with a power of ten ("182 × 10^3") is no plain number.
//
// What somebody sees of a note, document or answer counts: not comments, struck text, definitions, addresses and titles of
// links, images, nor what HTML hides by its tags, attributes, styles or simple rules of a style sheet. Letters of no width
// are gone. Layers, scripts, selectors of several parts and colours other than white are not worked out.
//
// What an agent leaves open it does not say: "5 or 6", "about 5", "at most 5". A figure behind a word of loss is
// negative: where the demand is of a loss without a sign, the word belongs into the cell ("loss 500").
//
// What an agent denies it does not say: "None of this is open: BR-2041", "not 0.86". The words not, no, none, never,
// without, neither, nor, nothing, nobody, hardly, cannot, those in n't, and false, untrue, wrong and fictitious deny up to six
// words that follow in their clause, and, where the clause is about what a colon introduces, all of that, unless it only says that it is
// not closed, assigned, rounded or the like. "Not only" and "no other" deny nothing, and what is denied
// afterwards ("182000? No.") counts as said, as does what other words put in doubt ("Closed breaches:", "A guess:"): false alarms
// are worse. That is a rule for English.
//
// For what must not be said, be it forbidden, another row under "only" or a contradiction, each mention counts, denied or
// not, in letters that look alike, with other marks in an identifier and, where it is forbidden, with another sign. Figures in
// words are not read. Who writes more than is read (64 KiB) has said too much.
//
// # Lines
//
// [Lines] demands what stands together. Fragments alone are a bag: they are all there when each owner stands
// beside the other's breach. Each row of lines is to be said by a line of its own, by maximum matching: a row of a
// table, an item, a heading or "BR-2041:" with what stands beneath, a sentence or part of one. A line must
// not say what another row has in that column instead. Where two columns of one row could be
// confused, their labels belong into the cells ("excess 182000").
//
// A text that gives a row what belongs to another, beside the right line, has an unexpected_line; so has one that says
// of a row another figure directly ("HY-7 made 5"), in the role of its own or as a correction, or what else stood in a
// column in the data that was read. Which label a figure stands under is not known: labels belong into the cells. With
// "only", so has one that says another thing of the kind of the first column that tells the rows apart: what is
// written as these keys are (BR- and digits), or stood in their column in the data that the agent read; and one that
// has a row of a table twice. Keys without digits and unread have no kind: forbid the likely ones with [UnsaidRule],
// for which any mention counts.
//
// Numbers are compared as decimals, never as floats, except the cells of the grid.
//
// # Which dashboard
//
// A rule about a dashboard takes an [On]: an id, a name, or one of the constants. Without one it is the
// dashboard that is open at the end.
//
// # Where this is stricter than the published grader, and why
//
// Where a rule differs, an argument of it grades as published. There is no switch for all rules.
//
//   - A rule may name the dashboard that was asked about ([On]). The published grader looks at the one left open, so
//     that good work fails when another dashboard was opened afterwards. A name means the dashboard that had it at the
//     start, so that a decoy of that name is of no use.
//   - A demand for at most so many widgets, and for none at least, also holds on the dashboard that was open at the
//     start. As published, an agent meets "the widget is gone" by opening another dashboard. [AtEnd] grades as published.
//   - Each call made stands for one call wanted, by maximum matching. As published, one call meets two equal
//     demands. [Shared] grades as published.
//   - Short words of up to six letters and digits are whole words: "form" is not in "platform"; and the numbers of a
//     fragment are whole, with their sign and scale: "5" is not in "2025", "12.5" not in "12.51", "-12.5" or "12.5k".
//     [Published] finds them anywhere. It finds no number by a scale other than per cent, which is laxer here.
//   - What is denied is not said. [Published] does not care.
//   - What a note says is what one reads in it: no comments, and nothing that is struck out.
//   - What a generated widget says is its data. As published its name, description and tab count too, so that an empty
//     note may say all by its name. [Published] looks there as well.
//   - What a result says is its data. As published the whole envelope is searched. [Published] does so.
//   - Fragments are looked for in text as it reads, and not in JSON with its escapes, where a word after a line break
//     begins with an n. [Published] looks into the JSON.
//   - Preservation is graded whenever there are such rules. The published grader loses the state of the start when a
//     judge's verdict is applied, and with it these checks; here evidence without a start is broken.
//   - An answer that a judge is to read is demanded by [AnswerRule]; whether it is good is the judge's rule. As published, a
//     judged task without a judge passes on any answer.
//   - The listed-id discipline is a rule that a task states, with its codes. As published it holds for every task that
//     allows the listing, also where the listing is called optional; [ListedRule.MustList] says which.
//
// # Other decisions
//
//   - Of several custom backends of one name a definition is demanded of the last one, to which the name leads.
//   - [OtherAppsRule] finds a backend by its id, and with ByName also one that was removed and added anew, as
//     published for tasks that demand unique names.
//   - Small words alone ("of the") are no phrase and no fragment, unless they occur as they are.
//   - [BusinessNameRule] looks for tabs on its dashboard and in the apps of custom backends.
//   - Datasets are served and asked for in memory: nothing is graded over a network, and no answer can be late.
//   - Custom backends include those of the library that the agent connected, as published.
//   - Positions are compared as the grid settled them. A widget that rose because another went has moved;
//     [Settled] lets rows change where settling explains it: a widget rose without passing one that did not make
//     way, or sank onto one that was put above it. Which rows these are depends on the order of the moves, and is
//     not compared with those of any reference.
//   - A demanded place does not hold where a least or greatest size contradicts it. Which other bounds a
//     widget has does not matter.
//   - A widget that may be made is made with no ui_args, and with the data_args that its [Target] lists, if any.
//   - A dashboard that may be made is made once, and what is on it are widgets that may be made. A tab of it that
//     holds nothing and was not asked for is a change, but for the only one.
//   - A tab that may be made is one that was not there; one that may be renamed is known by its id. The others
//     stay in their order. Ids mean what was there at the start: an agent chooses those of what it makes.
//   - A backend serves nothing more by the widgets and apps that it had at the start ([BackendRule]). What a definition
//     says beside what was asked for is its author's affair where it changes neither what is seen nor what is reached:
//     descriptions, categories, sources, sizes that can be seen, refreshing, columns that are shown, groups, what
//     parameters a layout gives a widget that has them. These are not, unless a demand speaks of them: another type in
//     defaultViz, a socket of a widget that is no live grid, mcp_tool, storage, a run button, hidden columns, sizes below 4×2
//     and bounds that contradict them, hidden items of a layout, parameters that the widget does not have, a tab whose id
//     is not its key, and prompts.
//   - A dashboard made of an app keeps the names of the app's tabs, and its navigation bar or none. How one made by hand is
//     divided, where nobody has said so, is its maker's affair.
//   - Which dashboard and tab are open is not a change. A task handed to another agent is one, and so is what a backend
//     is told beside its manifests ([NothingElseRule]), though no state shows them. Which tasks were to be handed over,
//     [CallsRule] says; here they are counted.
//   - A demanded widget is to be seen: on a tab that there is, within the 40 columns, at least 4×2 cells, and of a size
//     that its bounds allow. Any other is missing, whatever it holds.
//   - A number longer than 40 characters is a text, not a number.
//   - Order of the calls is not graded, but by the rules that say "before".
//
// # What can go wrong
//
// Whatever an agent sent, wrote or left out becomes findings, never an error. A rule that makes no sense is the
// task's fault, and a state that is no object is the world's; both make an episode broken. In a state what is not
// of its type counts as absent.
//
// # Scores
//
// Rules about several things count each of them under its code ([grader.Tally]). [Dimensions] gives state, trace,
// preservation, runtime and judge, each as the mean over its codes of held ÷ of: a code weighs the same however many
// checks it has, and how a thing fails does not change what it weighs (a misconfigured widget counts under missing_widget).
// All probes of endpoints count under one code. [Score] is the raw score, [Adjusted] that above the floor.
package workspace
