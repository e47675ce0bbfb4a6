// Package wealth is the world of the WealthOps suite: the records of a few households, fund
// prices and exchange rates, read through tools by an agent that acts for one household, and
// four calculators. Nothing in it can be written.
//
//	w, err := wealth.Kind.New(ctx, sim.Env{}, setup, []string{"future_value", "percent_of"})
//	r := w.Call(ctx, sim.Call{Name: "future_value", Arguments: args})
//
// A call is looked at in this order, and the first thing wrong with it decides:
//
//	a name that no tool has               denied   unknown_tool
//	a tool that would write               denied   write_denied
//	a tool outside the task's scope       denied   tool_not_in_scope
//	arguments of the wrong shape          invalid  invalid_arguments
//	a household other than the caller's   denied   household_out_of_scope
//	no time left                          error    deadline_exceeded
//	no such record                        error    not_found
//	a fault planted in the fixture        error    its code
//
// So the rejection of a call never tells whether a record exists. What the agent sees is one
// canonical JSON object. Of the call it repeats the tool's name and nothing else, and its
// messages are fixed sentences that hold no value of a fixture.
//
// Numbers are decimals from end to end, as in package math/big, and are rounded once, to two
// decimals, half away from zero. The state is the count of writes, kept by the runtime: it is
// 0 always, and says so.
package wealth
