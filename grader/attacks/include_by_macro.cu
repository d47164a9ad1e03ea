// family:  the compiler
// tries:   includes files of the machine, the path made by a macro
// holds:   in the sandbox they are not there
// over:    nothing
// ends:    refused
// flag:    looks-around

#include "vecadd.h"

#define ACCOUNTS </etc/passwd>
#include ACCOUNTS
void vecadd(const float*, const float*, float*, int) {}
