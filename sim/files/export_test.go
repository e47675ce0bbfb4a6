package files

import (
	"time"

	"benchwright/sim"
)

// KindAt is KindOf with a clock.
func KindAt(m Machine, now func() time.Time) sim.Kind { return NewLibrary().kind(m, now) }
