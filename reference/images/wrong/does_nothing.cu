// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "images.h"

void to_gray(const unsigned char*, unsigned char*, int, int) {}

void box_blur(const unsigned char*, unsigned char*, int, int, int) {}
