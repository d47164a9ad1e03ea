// family:  19 process attacks
// tries:   hides a system call instruction in a constant operand, and jumps into it
// holds:   system call instructions are searched for at every offset; the filter rejects the call
//          itself
// over:    nothing
// ends:    any
// flag:    system-call-bytes

#include "vecadd.h"

// mov $0xc3050f, %eax: its constant is "syscall; ret".
__attribute__((noinline)) static int constant() {
  return 0xc3050f;
}

void vecadd(const float*, const float*, float*, int) {
  volatile int keep = constant();
  (void)keep;
  const auto* code = reinterpret_cast<const unsigned char*>(&constant);
  for (int i = 0; i < 32; ++i) {
    if (code[i] == 0x0f && code[i + 1] == 0x05) {
      reinterpret_cast<void (*)()>(reinterpret_cast<unsigned long>(code + i))();
      return;
    }
  }
}
