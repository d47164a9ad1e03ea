#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/isa/inst.h"
#include "emulator/isa/lane_shape.h"
#include "emulator/isa/native_form.h"
#include "emulator/isa/warp.h"

// A run of instructions that is compiled as one, and what its code counts and looks up.

namespace warpsim::native {

/// The numbers that a run's code reads and writes, in words of 64 bits; one worker's.
namespace state {
constexpr std::size_t kExecutions = 0;
constexpr std::size_t kGroups = 1;  // the first group's words

/// Words of a group of accesses.
enum GroupWord : std::size_t {
  kFrom,  // the first lane's address without an offset may be one of `kPlaces` from here on
  kPlaces,
  kToHost,  // of global memory: what to add to a device address
  kShadow,  // of global memory: what to add for the shadow; 0: all bytes are initialized
  kHost,  // in an execution: where the first lane's address without an offset is
  kFirst,  // in an execution: that address
  kGroupWords,
};
}  // namespace state

/// What an access to global memory costs depends on where the first lane is in its line of 128
/// bytes: a table has an entry for each such place that is aligned, as the access is.
struct Residues {
  std::uint32_t shift = 2;  // log2 of the bytes between two of them

  /// @param width  of the access
  explicit Residues(std::uint32_t width) : shift(width >= 4 ? 2 : 0) {}
  [[nodiscard]] std::size_t count() const { return std::size_t{128} >> shift; }
  [[nodiscard]] std::size_t of(std::uint64_t address) const {
    return (address >> shift) & (count() - 1);
  }
};

/// What generated code is called with besides the warp, by run_head.
struct HotRun {
  /// @returns where the warp goes on, as a handler does
  using Entry = const Inst* (*)(Warp& warp, const Inst& in, HotRun& run, std::byte* shared);
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Entry entry = nullptr;
  std::uint64_t* state = nullptr;
  Handler original = nullptr;  // of the run's first instruction
  std::uint32_t watch = kNone;  // BlockContext::watch for which `entry` is; kNone: for none
  std::uint8_t* shared_shadow = nullptr;  // of the block's shared memory, in an execution
};

/// Tells observers and the cache model of the first loads of a series of the run's trace. Generated
/// code calls it.
void tell_loads(Warp& warp, HotRun& run, std::uint32_t series, std::uint32_t count);
/// Likewise, and then of a store that is about to happen; what it stores is in the warp's
/// registers.
/// @param count  of loads; 0: there is no series
/// @param store  which of Trace::stores
void tell_store(Warp& warp, HotRun& run, std::uint32_t series, std::uint32_t count,
                std::uint32_t store);

/// An access that is compiled.
struct TraceAccess {
  std::uint32_t place = 0;  // in the run
  std::uint32_t group = 0;
  std::uint32_t exits_before = 0;  // exits that the code has in front of it
  std::size_t residues = 0;  // of global memory with counters: its table in the state; else 0
  std::uint32_t store = kNotTold;  // of a store that is told: its number
  static constexpr std::uint32_t kNotTold = ~std::uint32_t{0};
};

/// Accesses whose addresses come from one register, which has one value for all of them.
struct TraceGroup {
  std::int32_t slot = -1;  // of the addresses
  bool is_shared = false;
  bool is_wide = true;  // registers of 64 bits
  std::uint32_t width = 0;  // the largest of an access
  std::int64_t offset = 0;  // of an access of that width
  LaneShape shape;
  /// An earlier group whose addresses differ from these by one number for all lanes: what its guard
  /// finds of the shape is so of this one. kNone: there is none.
  std::uint32_t like = kNone;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> accesses;
  std::size_t words = 0;  // its state
  /// A warp's addresses are the same in every block of the launch: the first lane's without an
  /// offset, by warp, once the guard has passed (kMostWarps words of the state; kNotPassed until
  /// then). 0: they are not.
  std::size_t by_warp = 0;
  static constexpr std::size_t kMostWarps = 32;
  static constexpr std::uint64_t kNotPassed = ~std::uint64_t{0};
};

/// What is known of an instruction of a run before it is compiled.
struct Step {
  const Inst* inst = nullptr;
  Handler handler = nullptr;  // its own: run_head stands in the place of the first one's
  const NativeForm* form = nullptr;  // null: the handler is called
  std::uint32_t access = kNoAccess;
  static constexpr std::uint32_t kNoAccess = ~std::uint32_t{0};
};

/// A run, specialised.
struct Trace {
  std::uint32_t watch = 0;  // BlockContext::watch
  std::int32_t vector_bytes = 64;  // of the host's vectors: 64 or 32
  std::vector<Step> steps;
  std::vector<TraceAccess> accesses;
  std::vector<TraceGroup> groups;
  /// Accesses that are told together: loads, and stores that nobody has to know of.
  struct Series {
    std::uint32_t begin = 0, end = 0;  // of `accesses`
  };
  std::vector<Series> series;
  /// Accesses that are told each, before they happen.
  std::vector<std::uint32_t> stores;
  /// Of each exit that a guard takes: the place of the access that it belongs to.
  std::vector<std::uint32_t> exits;
  std::size_t exit_words = 0;  // where their counts are
  std::size_t words = 0;  // of the state
  std::shared_ptr<const void> code;  // keeps the code mapped
  HotRun::Entry entry = nullptr;

  [[nodiscard]] const Inst& inst_of(const TraceAccess& access) const {
    return *steps[access.place].inst;
  }
};

}  // namespace warpsim::native
