// family:  1 forged verdict
// tries:   at exit, opens the emulator's report with setmntent, which calls fopen
// holds:   only names on the allow-list are linked
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
