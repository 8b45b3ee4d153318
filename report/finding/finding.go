// Package finding fills in a report's conclusions: rules over its figures,
// each with an id, the numbers behind it and what to do. It knows nothing of
// how they are shown.
package finding
