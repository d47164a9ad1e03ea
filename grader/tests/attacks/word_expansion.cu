// family:  12 calling the library
// tries:   runs a shell with wordexp
// holds:   functions that start programs are rejected before linking; the filter rejects exec
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <wordexp.h>

#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  wordexp_t words;
  wordexp("$(echo forged > record.txt)", &words, 0);
}
