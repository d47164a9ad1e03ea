#pragma once

/// out[i] = in[i - 1] + in[i] + in[i + 1] for i < n, with zeros outside `in`, and 0 for the other
/// elements. `in` has n elements, `out` n rounded up to a multiple of 16; both are device pointers.
void smooth(const int* in, int* out, int n);
