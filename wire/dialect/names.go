package dialect

// dialects holds every API that is spoken, the default first.
var dialects = []Dialect{chat{}}

// Named returns the dialect that a plan calls name.
func Named(name string) (Dialect, bool) {
	for _, d := range dialects {
		if d.Name() == name {
			return d, true
		}
	}
	return nil, false
}

// Names lists what Named knows, the default first.
func Names() []string {
	names := make([]string, len(dialects))
	for i, d := range dialects {
		names[i] = d.Name()
	}
	return names
}
