//go:build !unix

package command

import "os/exec"

func apart(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { cmd.Process.Kill() }

const noFollow = 0
