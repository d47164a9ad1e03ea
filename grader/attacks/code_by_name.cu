// family:  19 process attacks
// tries:   brings a system call in a section that is no code, but by its name lands among it
// holds:   sections that become code unmarked are refused
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

asm(".pushsection .gnu.linkonce.t.evil,\"a\"\nevil: .byte 0x0f,0x05,0xc3\n.popsection");
extern "C" void evil();
void vecadd(const float*, const float*, float*, int) {
  evil();
}
