package finqa_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"benchwright/grader/wealth/finqa"
)

func Example() {
	program, err := finqa.Parse("divide(682, 555), subtract(#0, const_1)")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := program.Run(nil)
	fmt.Println(answer, err)
	// Output: 0.22883 <nil>
}

func ExampleParse() {
	program, err := finqa.Parse("divide(subtract(7, 5), 5)")
	fmt.Println(program, err)
	_, err = finqa.Parse("divide(7, 5), subtract(#1, 5)")
	fmt.Println(err)
	// Output:
	// subtract(7, 5), divide(#0, 5) <nil>
	// at byte 14: subtract: argument 1: #1 refers to a later or missing step (only earlier steps, from #0 on, have a result)
}

func ExampleParseTokens() {
	program, err := finqa.ParseTokens([]string{"subtract(", "7", "5", ")", "divide(", "#0", "5", ")", "EOF"})
	fmt.Println(program, err)
	// Output: subtract(7, 5), divide(#0, 5) <nil>
}

func ExampleProgram_Run() {
	program, err := finqa.Parse("table_average(net sales, none)")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := program.Run([][]string{{"net sales", "$ 9091", "$ 8732", "$ 9037"}})
	fmt.Println(answer.Number, err)
	_, err = program.Run([][]string{{"net sales", "$ 9091", "n/a"}})
	fmt.Println(err)
	// Output:
	// 8953.33333 <nil>
	// step 0: "table_average(net sales, none)": row "net sales", cell 2: "n/a": not a number (want a number such as 12.5, 1,000, 36% or const_100)
}

func ExampleEquivalent() {
	gold, _ := finqa.Parse("subtract(7, 5), divide(#0, 5)")
	reordered, _ := finqa.Parse("divide(7, 5), divide(5, 5), subtract(#0, #1)")
	constant, _ := finqa.Parse("divide(7, 5), subtract(#0, const_1)")
	fmt.Println(finqa.Equivalent(gold, reordered))
	fmt.Println(finqa.Equivalent(gold, constant)) // const_1 is not in the gold program
	// Output:
	// true
	// false
}

func ExampleCheck() {
	file := `{"id":"right","program":"add(1, 2)","table":[],"exe_ans":3}
{"id":"wrong","program":"divide(1, 3)","table":[],"exe_ans":0.3}
`
	agree, total, err := finqa.Check(strings.NewReader(file), os.Stdout)
	fmt.Println(agree, total, err)
	// Output:
	// line 2: id "wrong": program "divide(1, 3)": expected 0.3, got 0.33333
	// agree 1/2
	// 1 2 <nil>
}

func ExampleSample() {
	finqa.Check(bytes.NewReader(finqa.Sample()), os.Stdout)
	// Output: agree 8/8
}
