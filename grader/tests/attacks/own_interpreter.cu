// family:  19 process attacks
// tries:   names a program loader of its own in a section
// holds:   sections that only the linker may create are rejected
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

asm(".pushsection .interp,\"a\"\n.asciz \"/tmp/loader\"\n.popsection");
void vecadd(const float*, const float*, float*, int) {}
