// family:  the compiler
// tries:   includes /dev/zero
// holds:   the compiler's time, memory and address space are limited
// over:    nothing
// ends:    refused
// flag:    none
// needs:   nvcc

#include "vecadd.h"

#define ENDLESS </dev/zero>
#include ENDLESS
void vecadd(const float*, const float*, float*, int) {}
