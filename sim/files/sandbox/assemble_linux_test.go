package sandbox

import (
	"encoding/binary"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

func TestTheFirstRuleThatHoldsAnswers(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the calls below are laid out for little-endian machines")
	}
	code := assemble(arch.X86_64, []rule{
		{10, []condition{not(0, 1), not(0, 2)}, answerEPERM},
		{10, []condition{is(1, 7)}, answerENOSYS},
		{20, nil, answerEPERM},
		{30, []condition{anySet(0, 6), noneSet(0, 1)}, answerEPERM},
		{30, nil, leaveToBroker},
	})
	vm, err := bpf.NewVM(code)
	if err != nil {
		t.Fatal(err)
	}
	native := uint32(arch.X86_64.ID)
	const wide = 1 << 40
	for _, c := range []struct {
		arch, call uint32
		args       [2]uint64
		want       uint32
		reason     string
	}{
		{native, 1, [2]uint64{}, unix.SECCOMP_RET_ALLOW, "no rule is about it"},
		{native, 20, [2]uint64{}, answerEPERM, "a rule without conditions"},
		{native, 10, [2]uint64{3, 0}, answerEPERM, "both conditions hold"},
		{native, 10, [2]uint64{2, 0}, unix.SECCOMP_RET_ALLOW, "the second does not"},
		{native, 10, [2]uint64{1, 20}, unix.SECCOMP_RET_ALLOW, "an argument is not compared with the numbers of later calls"},
		{native, 10, [2]uint64{1 + wide, 0}, unix.SECCOMP_RET_ALLOW, "the kernel reads 32 bits of a number"},
		{native, 10, [2]uint64{1, 7 + wide}, answerENOSYS, "so nobody hides one in the others"},
		{native, 30, [2]uint64{2, 0}, answerEPERM, "the first rule counts"},
		{native, 30, [2]uint64{3, 0}, leaveToBroker, "the next, where it does not hold"},
		{uint32(arch.I386.ID), 1, [2]uint64{}, unix.SECCOMP_RET_KILL_PROCESS, "the numbers mean other calls there"},
		{native, 1 | 1<<30, [2]uint64{}, answerENOSYS, "x32"},
	} {
		// The machine of the package reads words as the network sends them.
		in := binary.BigEndian.AppendUint32(nil, c.call)
		in = binary.BigEndian.AppendUint32(in, c.arch)
		in = binary.BigEndian.AppendUint64(in, 0)
		for _, a := range c.args {
			in = binary.BigEndian.AppendUint32(in, uint32(a))
			in = binary.BigEndian.AppendUint32(in, uint32(a>>32))
		}
		got, err := vm.Run(in)
		if err != nil || uint32(got) != c.want {
			t.Errorf("call %d with %v: %#x, %v; want %#x: %s", c.call, c.args, got, err, c.want, c.reason)
		}
	}
}
