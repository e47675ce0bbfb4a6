// Package backend is what a workspace gets its widgets from: the two manifests that a backend
// serves (widgets.json and apps.json), the answers of its endpoints, and the rules by which
// parameters choose among them.
//
// A [Backend] is immutable. It is loaded once and shared by all episodes:
//
//	b, err := backend.ParseFixture(raw)                     // embedded data
//	a, err := backend.OpenArchive(r, size)                  // embedded data, packed: a.Backend()
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
//	  "as_of": "2026-05-15",
//	  "widgets": {"<widget id>": {…a definition of widgets.json…}, …},
//	  "apps": […apps.json…],
//	  "data": {
//	    "<widget id>": {
//	      "byArgs":  [{"dataArgs": {"symbol": "AAPL"}, "data": …}, …],
//	      "payload": …rows, or whatever the endpoint answers…,
//	      "filters": ["desk", {"param": "period", "field": "calendar_period"}],
//	      "nomatch": "empty",
//	      "options": {"<parameter with optionsEndpoint>": [{"label": "A", "value": "a", "when": {"<other parameter>": "x"}}, …]}
//	    }
//	  }
//	}
//
// slug and name are required; url, as_of, apps and data may be left out, as may every key of an
// entry of data. An entry for a widget that is not there is an error, as is a key that is not listed
// here. A fixture passes the product's validation without an error; warnings are kept.
//
// A filter is a parameter whose field has its name, or {param, field} and perhaps:
//
//	"many": true     text is a list of values with commas between them; any of them matches
//	"op": "window"   the field is a date in the period that ends at as_of: MTD, QTD, YTD, ITD,
//	                 or a number of D, W, M or Y (1D is as_of alone, 1Y begins a day after its
//	                 date a year before)
//	"op": "since"    the field is this date or later; macros such as $currentDate-1M count from
//	                 as_of, and of a time of day the date counts
//	"op": "until"    the field is this date or earlier
//	"op": "limit"    so many of the rows that the other filters leave; it has no field
//
// A list matches by any of its elements. A period, date or number that is none matches nothing.
//
// # Archives
//
// A large fixture is a zip file, of which nothing is read before it is needed. Its members:
//
//	index.json             slug, name, url
//	backend.json           as_of, widgets, apps; read by [Archive.Backend]
//	data/<widget id>.json  the entry of data; read when the widget is first asked for
//	SHA256SUMS             the digests of all other members, as sha256sum prints them
//
// Every member is held against its digest when it is read. Further members, such as what its
// baker checks, are not looked at. The manifests are not validated again. Numbers keep the places
// with which they are written: 12.50 stays 12.50. [Backend.Digest] is made of the digests of
// backend.json and data, so that it is known at once and does not depend on the packing.
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
//     matches nothing answers every row, or, with nomatch "empty", none. All other parameters
//     have no effect.
//  4. Getting Started and Widget Examples without data answer [].
//  5. A widget without data answers one row made of its name, category and parameters.
//
// With nomatch "empty", "" and [] are no values, and byArgs looks only at parameters for which it
// has an entry; a request for which it has none answers [], or "" where it has texts.
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
//   - Data of an archive that does not agree with its digest is a [Failure] with a Fault: what
//     breaks an episode, and is no answer that an agent sees.
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
