package benchwright_test

import (
	"testing"

	"benchwright"
	"benchwright/features"
)

func TestBench(t *testing.T) { benchwright.Run(t, features.Suite()) }
