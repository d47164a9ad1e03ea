// family:  19 process attacks
// tries:   contains machine code in a section that is both writable and executable
// holds:   such sections are rejected
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

asm(".pushsection .evil,\"awx\"\nevil: .byte 0x90,0xc3\n.popsection");
extern "C" void evil();
void vecadd(const float*, const float*, float*, int) {
  evil();
}
