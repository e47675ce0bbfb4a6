package workspace

import "slices"

func (s *spoiler) tabs(on On, meant func(object) bool) {
	s.board(on, "the tab dropped", func(b object) bool {
		all, _ := b["tabs"].([]any)
		kept := slices.DeleteFunc(slices.Clone(all), func(v any) bool { t, ok := v.(object); return ok && meant(t) })
		b["tabs"] = kept
		return len(kept) < len(all)
	})
	s.board(on, "the tab under another name and id", func(b object) bool {
		n := 0
		for _, t := range elements(b, "tabs") {
			if meant(t) {
				t["id"], t["name"] = "quite_otherwise", "Quite Otherwise"
				n++
			}
		}
		return n > 0
	})
	s.board(on, "the tab under another id", func(b object) bool {
		n := 0
		for _, t := range elements(b, "tabs") {
			if meant(t) {
				t["id"] = "quite_otherwise"
				n++
			}
		}
		return n > 0
	})
	s.board(on, "the tab renamed", func(b object) bool {
		n := 0
		for _, t := range elements(b, "tabs") {
			if meant(t) {
				t["name"] = "Quite Otherwise"
				n++
			}
		}
		return n > 0
	})
}

// tabNames adds the mutants in which a tab has the name with more words, or another has it.
func (s *spoiler) tabNames(on On, meant func(object) bool) {
	s.board(on, "the tab called more than that", func(b object) bool {
		n := 0
		for _, t := range elements(b, "tabs") {
			if name, ok := t["name"].(string); ok && meant(t) {
				t["name"] = name + " otherwise"
				n++
			}
		}
		return n > 0
	})
	s.board(on, "the name on another tab", func(b object) bool {
		all := elements(b, "tabs")
		i, j := slices.IndexFunc(all, meant), slices.IndexFunc(all, func(t object) bool { return !meant(t) })
		if i < 0 || j < 0 {
			return false
		}
		all[i]["name"], all[j]["name"] = all[j]["name"], all[i]["name"]
		return true
	})
}

func (s *spoiler) businessName(r *BusinessNameRule) {
	s.state("nothing named like that", func(d *draft) bool {
		id := s.subject(r.Dashboard)
		d.board(id, func(b object) bool {
			if r.Scope == "dashboard" {
				b["name"] = "Quite Otherwise"
			}
			if r.Scope == "tab" {
				for _, t := range elements(b, "tabs") {
					t["name"] = "Quite Otherwise"
				}
			}
			return r.Scope != "app"
		})
		for _, c := range s.customs() {
			d.custom(c.ID, func(c object) bool {
				for _, a := range elements(c, "apps_json") {
					if r.Scope == "app" {
						a["name"] = "Quite Otherwise"
					}
					if tabs, ok := a["tabs"].(object); ok && r.Scope == "tab" {
						for _, t := range tabs {
							if t, ok := t.(object); ok {
								t["name"] = "Quite Otherwise"
							}
						}
					}
				}
				return true
			})
		}
		return true
	})
}
