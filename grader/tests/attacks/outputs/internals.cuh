#pragma once
// What attacks do to reach more than their linker gives them: from a function's address down to the
// ELF header of its library, and from there to the library's table of symbols. No name of what they
// find is in their own table.

#include <cuda_runtime.h>
#include <elf.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace internals {

inline const char* header_of(const void* inside) {
  auto page = reinterpret_cast<std::uintptr_t>(inside) & ~std::uintptr_t{4095};
  while (std::memcmp(reinterpret_cast<const char*>(page), "\177ELF", 4) != 0) page -= 4096;
  return reinterpret_cast<const char*>(page);
}

/// A function of the library that contains another one.
inline const void* find(const void* inside, const char* name) {
  const char* base = header_of(inside);
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  const auto* segment = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  while (segment->p_type != PT_DYNAMIC) ++segment;
  const char* symbols = nullptr;
  const char* names = nullptr;
  for (const auto* entry = reinterpret_cast<const Elf64_Dyn*>(base + segment->p_vaddr);
       entry->d_tag != DT_NULL; ++entry) {
    const auto address = entry->d_un.d_ptr;
    const char* table = address < reinterpret_cast<std::uintptr_t>(base)
                            ? base + address
                            : reinterpret_cast<const char*>(address);
    if (entry->d_tag == DT_SYMTAB) symbols = table;
    if (entry->d_tag == DT_STRTAB) names = table;
  }
  for (const auto* symbol = reinterpret_cast<const Elf64_Sym*>(symbols);
       reinterpret_cast<const char*>(symbol) < names; ++symbol) {
    if (symbol->st_shndx != SHN_UNDEF && std::strcmp(names + symbol->st_name, name) == 0) {
      return base + symbol->st_value;
    }
  }
  return nullptr;
}

/// Any system call that the process may make.
template <class... P>
long system_call(long number, P... parameters) {
  using Function = long (*)(long, ...);
  void* (*const malloc)(std::size_t) = std::malloc;  // of clang's two the host's
  static const auto function = reinterpret_cast<Function>(
      const_cast<void*>(find(reinterpret_cast<void*>(malloc), "syscall")));
  return function(number, (long)parameters...);
}
constexpr long kWrite = 1, kMap = 9, kProtect = 10, kSignalMask = 14, kSendMessage = 46,
               kReceiveMessage = 47, kFork = 57, kKill = 234 /* tgkill */, kProcess = 39,
               kThread = 186, kExitAll = 231;

/// The harness's report that the function has returned.
inline void end_call() {
  const auto end = reinterpret_cast<cudaError_t (*)()>(
      const_cast<void*>(find(reinterpret_cast<void*>(&cudaGetLastError), "__cudaHarnessCallEnds")));
  if (end != nullptr) end();
}

inline bool is_readable(const char* address) {
  // An unknown operation on the signal mask is refused after its argument has been read.
  return system_call(kSignalMask, 99, address, 0, 8) == -1 && errno == EINVAL;
}

inline bool is_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

struct Pages {
  char* begin;
  char* end;
};
/// The heap, in which the harness's strings are.
inline Pages heap() {
  char* here = static_cast<char*>(std::malloc(16));
  here -= reinterpret_cast<std::uintptr_t>(here) % 4096;
  Pages pages = {here, here + 4096};
  while (is_readable(pages.begin - 4096)) pages.begin -= 4096;
  while (is_readable(pages.end)) pages.end += 4096;
  return pages;
}

/// The next 32 hexadecimal digits on their own, from there on.
inline char* next_nonce(char* at, const char* end) {
  while (at < end - 64) {
    int digits = 0;
    while (digits < 33 && is_digit(at[digits])) ++digits;
    if (digits == 32 && at[32] == '\0') return at;
    at += digits + 1;
  }
  return nullptr;
}

/// The run's nonce.
inline const char* nonce() {
  const Pages pages = heap();
  const char* found = next_nonce(pages.begin, pages.end);
  return found == nullptr ? "" : found;
}

/// Writes to every descriptor that is open.
inline void write_everywhere(const char* text) {
  for (int descriptor = 3; descriptor < 40; ++descriptor) {
    system_call(kWrite, descriptor, text, std::strlen(text));
  }
}

inline void answer(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

}  // namespace internals
