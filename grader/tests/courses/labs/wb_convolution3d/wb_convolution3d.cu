#include <wb.h>

//@@ The kernel.

int main(int argc, char** argv) {
  wbArg_t args = wbArg_read(argc, argv);
  (void)args;
  //@@ Import the inputs, allocate and copy, launch the kernel, copy back, and call wbSolution.
  return 0;
}
