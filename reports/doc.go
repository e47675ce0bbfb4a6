// Package reports keeps what a run leaves, and says what it means.
//
// What a run leaves is a folder, the bundle. The records in it are the truth: one file an
// episode, whole or not there at all, never changed afterwards. Everything else is derived
// from them and can be made again at any time: a row an episode (results.jsonl), the sums
// over these rows (summary.json), JUnit, the table on the terminal.
//
//	b, err := reports.Create(dir, reports.Run{Kind: reports.KindModel, Agent: "ollama:qwen3"})
//	…
//	b.Begin(task.ID, 1)
//	err = b.Write(episode)     // durable when this returns
//	…
//	s, err := b.Finish()       // results.jsonl, summary.json, junit.xml
//	exit, reason := gate.Judge(s)
//	err = b.End(exit, reason)
//
// Reading needs the folder alone, and works as well on a run that was killed:
//
//	r, err := reports.Open(dir)
//	for rec, err := range r.Records() { … }
//	err = r.WriteJUnit(w)
//
// Text of models, tasks and files is hostile. All that this package prints goes through
// [Clean] or [CleanText].
package reports
