// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// No kernel is launched.
#include "network.h"

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {}
