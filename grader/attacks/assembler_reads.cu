// family:  the compiler
// tries:   lets the assembler put a file of the machine into the object
// holds:   in the sandbox it is not there; flagged
// over:    nothing
// ends:    refused
// flag:    assembler-file

#include <cstdio>
#include "vecadd.h"

asm("accounts: .incbin \"/etc/shadow\"");
extern "C" char accounts[];
void vecadd(const float*, const float*, float*, int) {
  std::puts(accounts);
}
