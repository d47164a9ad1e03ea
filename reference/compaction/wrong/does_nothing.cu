// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "compaction.h"

#include <cuda_runtime.h>

void compaction(const int*, int*, int*, int) {}
