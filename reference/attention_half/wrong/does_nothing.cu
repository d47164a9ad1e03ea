// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "attention_half.h"

void attention_half(const __half*, const __half*, const __half*, __half*, int, int, int, float,
                    int) {}
