// family:  the compiler
// tries:   includes a file of the machine by its path
// holds:   includes that leave the submission are refused
// over:    nothing
// ends:    refused
// flag:    none

#include "/etc/passwd"
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {}
