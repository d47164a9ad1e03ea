// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is done.
#include "recurrence.h"

void recurrence(const unsigned*, unsigned*, int, unsigned) {}
