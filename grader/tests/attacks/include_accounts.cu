// family:  the compiler
// tries:   includes a file of the machine by its path
// holds:   includes outside of the submission are rejected
// over:    nothing
// ends:    refused
// flag:    none

#include "/etc/passwd"
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {}
