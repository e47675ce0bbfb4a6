// Package backend is what a workspace gets its widgets from: the two manifests that a backend
// serves (widgets.json and apps.json), the answers of its endpoints, and the rules by which
// parameters choose among them.
//
// A [Backend] is immutable. It is loaded once and shared by all episodes:
//
//	b, err := backend.ParseFixture(raw)                     // embedded data
//	b, err := backend.OpenDir("my-backend")                 // widgets.json, apps.json, answers
//	b, err := backend.OpenURL(ctx, "http://127.0.0.1:7779") // asked once, then frozen
//	b, err := backend.Author(backend.Source{…})             // what an agent hands in
//	rows, failure := b.Data("prices", args)
//
// All are validated as the product does it, see [Validate]; only published fixtures and seeds
// are taken as they stand.
//
// # Fixtures
//
// A fixture is one JSON file. Rows stand beside the definitions, never in them, so that no
// schema can give them away:
//
//	{
//	  "slug": "desk-mini",
//	  "name": "Desk Mini",
//	  "url": "http://127.0.0.1:7779",
//	  "widgets": {"<widget id>": {…a definition of widgets.json…}, …},
//	  "apps": […apps.json…],
//	  "data": {
//	    "<widget id>": {
//	      "byArgs":  [{"dataArgs": {"symbol": "AAPL"}, "data": …}, …],
//	      "payload": …rows, or whatever the endpoint answers…,
//	      "filters": ["desk", {"param": "period", "field": "calendar_period"}],
//	      "options": {"<parameter with optionsEndpoint>": [{"label": "A", "value": "a", "when": {"<other parameter>": "x"}}, …]}
//	    }
//	  }
//	}
//
// slug and name are required; url, apps and data may be left out, as may every key of an entry
// of data. An entry for a widget that is not there is an error, as is a key that is not listed
// here. A fixture passes the product's validation without an error; warnings are kept.
//
// The published format is read too: no slug and no name, and byArgs, payload and filters inside
// the definitions as sampleDataByArgs, sampleData (or a list under data) and filters. They are
// taken out while reading. [ParseNamed] gives such a file its name.
//
// # Which data is answered
//
// The first rule that applies:
//
//  1. byArgs: the first entry all of whose dataArgs are in the request with an equal value;
//     else the first entry that has all values of the request. A request without values thus
//     gets the first entry.
//  2. sampleData of the published format, as it is.
//  3. payload. Where it is a list of objects, the filters choose among the rows: those whose
//     parameter is in the request and whose field is in any row; all must match. A choice that
//     matches nothing answers every row. All other parameters have no effect.
//  4. Getting Started and Widget Examples without data answer [].
//  5. A widget without data answers one row made of its name, category and parameters.
//
// Values are equal when their [Str] is: 5 equals "5". The published fixtures whose filters are
// fixed (Stark: status, desk, vendor, fund, period; Daloopa: ticker, period as calendar_period,
// doc_type, category) get them by their slug.
//
// # Folders
//
// A folder holds widgets.json, optionally apps.json, and optionally answers: the answer of the
// endpoint "quotes/last" is quotes/last.json (or .html, .md, .txt: text). The answer to other
// parameters than the defaults is quotes/last@symbol=MSFT.json, with values escaped as in a
// query and several joined by "&"; an endpoint with a query of its own, "pnl?region=eu", is
// answered by pnl@region=eu.json, else by pnl.json. Answers of an optionsEndpoint are named
// after its path alone.
//
// For a request that fits several answers, the one for more parameters counts, then the one
// whose parameters come first by name. A server that is loaded with [OpenURL] is asked for
// single options only.
//
// # Authored backends
//
// Nothing runs behind manifests that an agent hands in. Where a task has runtime_checks, its
// datasets answer ([Backend.Bind]) and graders probe them ([Runtime.Deploy]); else a widget has
// no data, and rule 5 applies.
//
// # Decisions
//
// Where the product's behaviour is not known, this package decides:
//
//   - null is the same as a missing key, since backends that dump their models write nulls for
//     all they do not set. An option's label or value may be null.
//   - A list of apps is wanted; a single app object is refused, as the product does.
//   - A refetchInterval below 1000 ms is no refetchInterval.
//   - A name, endpoint, paramName, field or headerName that is the empty string is missing.
//   - A bad option is reported once a parameter.
//   - Numbers in texts are spelled as Python spells them; text from a manifest is shortened to
//     200 characters and its control characters are escaped.
//   - gridData needs both w and h once it is there.
//   - A key that occurs twice in an object is an error and not the later value.
//   - The contract's text about missing text speaks of markdown for html too.
//   - A column is missing when it is in no row, a row identifier when it is not in every row.
//   - A finished chart figure needs numbers somewhere in its series; rows need a second field to
//     stand on.
//   - A dataset whose path is pinned elsewhere is no candidate, so a probe of a shifted endpoint
//     is endpoint_response_incompatible, and an agent reads that its endpoint was not found.
//   - A probe demands a type of every parameter, although validation does not.
package backend
