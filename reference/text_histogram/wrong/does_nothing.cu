// verdict: fails-correctness
// pitfall: none
// caught-by: case "phrase"
// Trivial: nothing is written.
#include "text_histogram.h"

void text_histogram(const unsigned char*, unsigned int*, int) {}
