// family:  19 process attacks
// tries:   names its own program loader in a section
// holds:   sections that are the linker's to make are refused
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

asm(".pushsection .interp,\"a\"\n.asciz \"/tmp/loader\"\n.popsection");
void vecadd(const float*, const float*, float*, int) {}
