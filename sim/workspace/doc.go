// Package workspace is a simulated analyst's workspace: dashboards with tabs, widgets on a grid,
// the backends that serve them, app templates, skills and documents, all of it reached through
// twenty tools with the argument shapes, results and error texts of the product.
//
//	setup := json.RawMessage(`{"baseline": "desk-mini-a", "backends": ["desk-mini"]}`)
//	w, err := workspace.Kind.New(ctx, sim.Env{}, setup, []string{workspace.AllTools})
//	r := w.Call(ctx, sim.Call{Name: workspace.CreateWidget, Arguments: args})
//	s, err := w.State()
//	snapshot, err := workspace.SnapshotOf(s)
//
// Eighteen of the tools are the product's. The other two read its resources and prompts, for
// agents that have only tools. A [Setup] names what a [Library] holds; backends of one's own are
// added with [Library.With], and [Library.Kind] makes worlds of the result.
//
// # Results
//
// A call that works answers
//
//	{"ok":true,"command":…,"request_id":null,"message":"ok","data":{…,"session_context":{…}},"error":null}
//
// with the focus as it is after the call. One that is refused answers
//
//	{"ok":false,"command":…,"request_id":null,"message":M,"data":null,"error":{"code":…,"message":M,"details":null,"retryable":false}}
//
// and is Invalid: it counts against a task's budget of such calls, and the episode goes on. It
// leaves the workspace as it was, with one exception: navigate_workspace to a dashboard with an
// unknown tab opens the dashboard all the same.
//
// A call is looked at in this order: the tool's name, the task's scope, that the arguments are an
// object without duplicate keys, and then what the tool itself asks for: its operation, what the
// operation needs, the shapes of the other arguments, what they name. Arguments that a tool does
// not have are ignored. null is the same as leaving an argument out, and so is the empty string
// for the id of a dashboard, widget or backend and for an origin; a tab may be called "".
//
// # State
//
// [sim.State] is the whole workspace as graders see it, a [Snapshot]; agents see the active
// dashboard and the names of the others. Ids come from counters, which an explicit id advances
// too: dash_001, widget_001, backend_001. An id that is taken is skipped. Nothing is random and
// no clock is read. generated_at counts the snapshots that the agent was given, and is not part
// of the state.
//
// States share what they have in common. A fork is a copied pointer, a call copies the dashboard
// that it changes, and what is encoded once is kept with what it was made of.
//
// # Grid
//
// A tab has 40 columns and rows without end. After a create, move, resize or delete, the tabs
// concerned settle: widgets are taken by row, then by column, the incumbent of a contested corner
// first; each rises until it touches another, or the first row of content, and is pushed below
// what it still overlaps. Seeds and instantiated apps are left as they were written. The first
// row of content is 2 under a navigation bar, else 0.
//
// # Decisions
//
// Where nothing is known of the product, this package decides:
//
//   - Two names of one call that give the same tab id make one tab, named after the first.
//   - Changing the tabs of a dashboard that is not open leaves the open tab alone.
//   - Navigating to a dashboard opens its first tab.
//   - A new widget goes to the open tab if its dashboard has a tab of that id, else to the default
//     tab, else to the first. A dashboard without tabs gets the default tab back.
//   - A tab that an argument names must exist; none is made on the way.
//   - Coordinates are numbers within 10⁹ of the origin; text, booleans and larger numbers are no
//     coordinates. They may be negative or fractions, and nothing is clamped. A widget whose
//     width or height is not positive takes no part in the settling of its tab.
//   - The bounds min_w … max_h are kept as they were sent and enforce nothing.
//   - update_widget refuses every spelling of a layout field, beside its arguments and in ui_args.
//   - A dry run answers valid, effective_params and warnings. What would fail in a look-up is
//     valid false; arguments of the wrong form are refused as ever.
//   - Chart parameters may be in snake case and are translated; where both spellings are sent,
//     the camel case counts. They are kept for charts alone.
//   - update_widget with data_args fails in the look-up when the widget's backend, or its
//     definition, is gone; ui_args alone are merged all the same.
//   - manage_apps wants a backend_id. The arguments widgets_json and apps_json are refused before
//     anything is looked up.
//   - manage_backends changes what was handed in as manifests, and removes what was not there at
//     the start. Headers are checked and have no effect. validate_widgets=false drops warnings;
//     errors refuse the manifests in any case.
//   - Of widgets that need the product's own runtime, rich_note is the one that is known: it is
//     not listed and cannot be created.
//   - A prompt shows the product's line about the session; an empty tab id reads as none.
//   - Arguments may nest 160 deep. What an agent can bring a workspace to is bounded, so that no calls
//     take memory without end: 10,000 widgets; 256 KiB a widget with all that it holds; names, ids of
//     what is made and URLs of 1 KiB; 200 tabs a dashboard; 64 backends connected, after which none
//     is added; and 16 MiB in all beyond what there was at the start. Deleting makes room. What would
//     be too much is an invalid_request, and changes nothing; one widget too many a command_failed. No
//     answer is larger than what it tells of.
//
// Of seeds:
//
//   - A baseline's own backends and dashboards come first. Which dashboard it opens holds until the
//     task opens another, by activate, by name in the initial state, or by Setup.Selected.
//   - A dashboard may say navigation_bar; the published seeds never do.
//   - A widget without an origin comes from the only connected backend that has it.
//   - Unknown names and ids that are taken are errors that name the place in the setup, and so are
//     keys that nobody knows, in the setup itself and in baselines. In an initial state these are
//     left out, as the published simulator does it, and a widget on a tab that its dashboard does
//     not have stays on it, where nobody sees it. [Setup.Doubts] tells of both.
package workspace
