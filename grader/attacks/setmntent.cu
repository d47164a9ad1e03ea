// family:  1 forged verdict
// tries:   opens the emulator's report with setmntent, which is fopen under another name, at exit
// holds:   names are refused before linking unless they are known to be harmless
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <mntent.h>

#include <cstdio>
#include <cstdlib>

#include "vecadd.h"

static void forge() {
  FILE* report = setmntent("emulator.json", "w");
  fprintf(report, "{\"findings\": [], \"kernels\": []}");
  fflush(report);
  abort();
}

void vecadd(const float*, const float*, float*, int) {
  atexit(forge);
}
