// Writes the filter of the worker's second stage as C++, so that submissions' programs need no
// library for it.

#include <linux/filter.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "harness/syscalls/rules.h"

int main() {
  try {
    const std::string program = warpgrade::locked_rules().program();
    for (std::size_t at = 0; at + sizeof(sock_filter) <= program.size();
         at += sizeof(sock_filter)) {
      sock_filter step{};
      std::memcpy(&step, program.data() + at, sizeof(step));
      std::printf("{0x%x, %u, %u, 0x%xU},\n", step.code, step.jt, step.jf, step.k);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
    return 1;
  }
}
