// lab:     vecadd
// root:    A
// tries:   makes the tables of the program and the client writable, to exchange the harness's
//          functions
// holds:   code, constants and the loader's tables keep their protection
// becomes: nothing
// flag:    none

#include "internals.cuh"
#include "vecadd.h"

void vecadd(const float*, const float*, float* c, int n) {
  // Wherever it works, the harness would write the output for us: here it is only tried.
  int opened = 0;
  void* (*const malloc)(std::size_t) = std::malloc;  // of clang's two the host's
  for (const void* inside : {reinterpret_cast<void*>(&cudaGetLastError),
                             reinterpret_cast<void*>(malloc), reinterpret_cast<void*>(&vecadd)}) {
    const char* base = internals::header_of(inside);
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
    const auto* segment = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
    for (int i = 0; i < header->e_phnum; ++i) {
      const bool closed = segment[i].p_type == PT_GNU_RELRO ||
                          (segment[i].p_type == PT_LOAD && (segment[i].p_flags & PF_W) == 0);
      if (!closed) continue;
      const auto page =
          reinterpret_cast<std::uintptr_t>(base + segment[i].p_vaddr) & ~std::uintptr_t{4095};
      opened += internals::system_call(internals::kProtect, page, 4096, 3) == 0 ? 1 : 0;
    }
  }
  if (opened == 0) std::abort();  // a crash shows that nothing could be opened
  for (int i = 0; i < n; ++i) c[i] = 0;
}
