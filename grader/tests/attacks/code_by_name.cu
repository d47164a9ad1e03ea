// family:  19 process attacks
// tries:   puts a system call into a data section whose name makes the linker place it among code
// holds:   sections that would become code by their name are rejected
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

asm(".pushsection .gnu.linkonce.t.evil,\"a\"\nevil: .byte 0x0f,0x05,0xc3\n.popsection");
extern "C" void evil();
void vecadd(const float*, const float*, float*, int) {
  evil();
}
