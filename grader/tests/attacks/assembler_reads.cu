// family:  the compiler
// tries:   makes the assembler include a file of the machine in the object
// holds:   the file does not exist in the sandbox; flagged
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
