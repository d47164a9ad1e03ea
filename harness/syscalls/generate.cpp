// Writes a filter of the worker's second stage as C++, so that submissions' programs need no
// library for it.
// usage: lockdown_filter [python]

#include <linux/filter.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "harness/syscalls/rules.h"

int main(int argc, char** argv) {
  try {
    const bool is_python = argc == 2 && std::strcmp(argv[1], "python") == 0;
    const std::string program =
        (is_python ? warpgrade::python_rules() : warpgrade::locked_rules()).program();
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
