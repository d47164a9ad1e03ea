// family:  19 process attacks
// tries:   makes system calls in inline assembly, which needs no symbol
// holds:   machine code is searched for system call instructions
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  const char path[] = "/etc/passwd";
  long result = 2;
  asm volatile("syscall" : "+a"(result) : "D"(path), "S"(0), "d"(0) : "rcx", "r11", "memory");
  asm volatile("syscall" : : "a"(231), "D"(result) : "rcx", "r11", "memory");
}
