// family:  the compiler
// tries:   includes files of the machine through a path made by a macro
// holds:   the files do not exist in the sandbox
// over:    nothing
// ends:    refused
// flag:    looks-around

#include "vecadd.h"

#define ACCOUNTS </etc/passwd>
#include ACCOUNTS
void vecadd(const float*, const float*, float*, int) {}
