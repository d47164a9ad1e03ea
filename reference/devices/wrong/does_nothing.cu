// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "devices.h"

void scale_to_peak(const float*, float*, int) {}
