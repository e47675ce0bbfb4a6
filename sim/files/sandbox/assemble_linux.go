package sandbox

import (
	"encoding/binary"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A rule answers one system call, where all its conditions hold.
//
// The library that the tables of calls are from assembles policies too. It is not used for
// that: it allows the calls of another architecture, which a process can make by int 0x80,
// and after a condition that does not hold it compares the argument, instead of the call's
// number, with what follows.
type rule struct {
	call   int
	all    []condition
	action uint32
}

const (
	answerEPERM   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	answerENOSYS  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	answerENOTSUP = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOTSUP)
	answerENOTTY  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOTTY)
	leaveToBroker = unix.SECCOMP_RET_USER_NOTIF
)

// A condition is about one argument, a number, of which the kernel reads 32 bits.
type condition struct {
	arg   int
	test  bpf.JumpTest
	value uint32
}

func is(arg int, v uint32) condition         { return condition{arg, bpf.JumpEqual, v} }
func not(arg int, v uint32) condition        { return condition{arg, bpf.JumpNotEqual, v} }
func anySet(arg int, bits uint32) condition  { return condition{arg, bpf.JumpBitsSet, bits} }
func noneSet(arg int, bits uint32) condition { return condition{arg, bpf.JumpBitsNotSet, bits} }

// Offsets in struct seccomp_data.
const (
	callOffset = 0
	archOffset = 4
	argsOffset = 16
)

// lower returns the offset of the lower 32 bits of an argument.
func lower(arg int) uint32 {
	at := argsOffset + 8*uint32(arg)
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		at += 4
	}
	return at
}

// assemble returns the program of the rules, of which the first that holds counts. What no
// rule is about is allowed; calls by the numbers of another architecture end the process.
func assemble(info *arch.Info, rules []rule) []bpf.Instruction {
	load := func(at uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: at, Size: 4} }
	answer := func(action uint32) bpf.Instruction { return bpf.RetConstant{Val: action} }
	code := []bpf.Instruction{
		load(archOffset),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1},
		answer(unix.SECCOMP_RET_KILL_PROCESS),
	}
	if info.ID == arch.X86_64.ID { // its sibling x32 has the same name and another bit
		code = append(code, load(callOffset),
			bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: uint32(arch.X32.SeccompMask), SkipFalse: 1},
			answer(answerENOSYS))
	}
	for _, r := range rules {
		// Every block loads what it compares, ends in its answer, and is skipped whole.
		var block []bpf.Instruction
		for _, c := range r.all {
			block = append(block, load(lower(c.arg)), bpf.JumpIf{Cond: c.test, Val: c.value}) // patched below
		}
		block = append(block, answer(r.action))
		for i, in := range block {
			if j, ok := in.(bpf.JumpIf); ok {
				j.SkipFalse = uint8(len(block) - 1 - i)
				block[i] = j
			}
		}
		code = append(code, load(callOffset), bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(r.call), SkipFalse: uint8(len(block))})
		code = append(code, block...)
	}
	return append(code, answer(unix.SECCOMP_RET_ALLOW))
}

// encode returns a program as an array of struct sock_filter.
func encode(code []bpf.Instruction) ([]byte, error) {
	raw, err := bpf.Assemble(code)
	if err != nil {
		return nil, err
	}
	var program []byte
	for _, i := range raw {
		program = binary.NativeEndian.AppendUint16(program, i.Op)
		program = append(program, i.Jt, i.Jf)
		program = binary.NativeEndian.AppendUint32(program, i.K)
	}
	return program, nil
}
