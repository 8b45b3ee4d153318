// Package provider answers who serves what where: a table. It knows no
// network and no secret, only the names of the variables that hold them.
package provider

// Provider is one row.
type Provider struct {
	Name       string
	BaseURL    string // calls' paths are appended
	BaseURLEnv string // overrides BaseURL where set
	KeyEnv     string
}

// table is in the order in which it is shown.
var table = []Provider{
	{
		Name:       "taotoken",
		BaseURL:    "https://taotoken.net/api",
		BaseURLEnv: "TAOTOKEN_BASE_URL",
		KeyEnv:     "TAOTOKEN_API_KEY",
	},
}

// Named returns the provider of a name, written exactly as Names has it.
func Named(name string) (Provider, bool) {
	for _, p := range table {
		if p.Name == name {
			return p, true
		}
	}
	return Provider{}, false
}

// Names lists the known providers, in the table's order.
func Names() []string {
	names := make([]string, len(table))
	for i, p := range table {
		names[i] = p.Name
	}
	return names
}
