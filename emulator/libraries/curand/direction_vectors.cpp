#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "emulator/libraries/curand/generator.h"
#include "emulator/libraries/curand/sobol.h"
#include "emulator/libraries/exported.h"

// Sobol's direction numbers as host memory, from which a program copies them for the device API.

namespace warpsim::curand {
namespace {

using libraries::Caller;

enum class VectorSet : int { of_32 = 101, scrambled_32 = 102, of_64 = 103, scrambled_64 = 104 };

constexpr std::size_t kOfNvidia = 20000;  // dimensions

/// The numbers of all dimensions that there are, in memory for as many as NVIDIA's library has.
/// Host code that reads those of others faults there: other values would be wrong without notice.
template <class Word>
Word* make_vectors() {
  constexpr std::size_t kBits = 8 * sizeof(Word);
  const std::size_t bytes = sobol_dimensions() * kBits * sizeof(Word);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t filled = (bytes + page - 1) / page * page;
  const std::size_t reserved = filled + kOfNvidia * kBits * sizeof(Word);
  void* const memory = ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || ::mprotect(memory, filled, PROT_READ | PROT_WRITE) != 0) {
    return nullptr;
  }
  // They end with a page.
  auto* const words = reinterpret_cast<Word*>(static_cast<std::byte*>(memory) + (filled - bytes));
  for (std::uint32_t i = 0; i < sobol_dimensions(); ++i) {
    direction_numbers(i, std::span<Word, kBits>(words + i * kBits, kBits));
  }
  return words;
}

Status refuse_set(const Caller& caller, VectorSet set, bool scrambled, const char* want) {
  const auto* const runtime = libraries::runtime();
  if (runtime == nullptr) return Status::initialization_failed;
  runtime->refuse(caller.name, caller.return_address,
                  {.got = fmt::format("set is {}", scrambled ? "one for scrambled generators"
                                                             : fmt::to_string(int(set))),
                   .want = want,
                   .status = name_of(Status::out_of_range),
                   .by_emulator = scrambled});
  return Status::out_of_range;
}

/// The vectors live as long as the process.
template <class Word>
Status vectors(const Caller& caller, Word** to, VectorSet set) {
  constexpr bool kIs32 = sizeof(Word) == 4;
  constexpr VectorSet kUnscrambled = kIs32 ? VectorSet::of_32 : VectorSet::of_64;
  constexpr VectorSet kScrambled = kIs32 ? VectorSet::scrambled_32 : VectorSet::scrambled_64;
  if (to == nullptr || set != kUnscrambled) {
    return refuse_set(caller, set, set == kScrambled,
                      kIs32 ? "CURAND_DIRECTION_VECTORS_32_JOEKUO6, and a place for the pointer"
                            : "CURAND_DIRECTION_VECTORS_64_JOEKUO6, and a place for the pointer");
  }
  static Word* const made = make_vectors<Word>();
  if (made == nullptr) return Status::internal_error;
  *to = made;
  return Status::success;
}

Status vectors_32(const Caller& caller, std::uint32_t** to, VectorSet set) {
  return vectors(caller, to, set);
}
Status vectors_64(const Caller& caller, std::uint64_t** to, VectorSet set) {
  return vectors(caller, to, set);
}

}  // namespace
}  // namespace warpsim::curand

WARPSIM_EXPORT(curandGetDirectionVectors32, curandGetDirectionVectors32,
               warpsim::curand::vectors_32)
WARPSIM_EXPORT(curandGetDirectionVectors64, curandGetDirectionVectors64,
               warpsim::curand::vectors_64)
