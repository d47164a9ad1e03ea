#pragma once

#include <cstdint>

// How the race checker remembers an access: who made it, when, and what kind of access it was.

namespace warpsim {

/// What the memory model says about an access besides its address; the low bits of a Epoch.
enum AccessTrait : std::uint8_t {
  kWriteAccess = 16,
  kStrongAccess = 8,  // volatile, relaxed or stronger, atomic: may meet another strong access
  kPlainVolatile = 4,  // ld.volatile and st.volatile: strong, but no update
  kBlockScope = 2,  // strong only within its block
  // Strong only within its cluster. Both bits stand for nothing else: what is volatile has no
  // scope.
  kClusterScope = kBlockScope | kPlainVolatile,
  kValidating = 1,  // an update that is right whatever the place held: cas, min, max, and, or
  // A volatile store that is a signal rather than an exchange in lock-step. Both bits stand for
  // nothing else without a scope: no update is volatile.
  kVolatileSignal = kPlainVolatile | kValidating,
};

/// One access of one lane. The tick is the block's logical time: it advances whenever a warp of
/// the block synchronises with another thread, so two accesses of a warp have equal ticks only when
/// nothing orders the warp's lanes between them. Ticks are the highest bits, which lets shadow
/// memory be searched for recent accesses by comparing whole words.
struct Epoch {
  static constexpr int kTickShift = 33;
  static constexpr int kSiteShift = 15;
  static constexpr std::uint32_t kMaxTick = (1u << 30) - 1;
  static constexpr std::uint32_t kMaxSite = (1u << 18) - 1;

  std::uint64_t bits = 0;

  /// @param site  number of the instruction, see RaceSites
  static constexpr Epoch of(std::uint32_t tick, std::uint32_t site, std::uint32_t warp,
                            std::uint32_t traits) {
    return {std::uint64_t{tick} << kTickShift | std::uint64_t{site} << kSiteShift |
            std::uint64_t{warp} << 10 | traits};
  }
  [[nodiscard]] constexpr Epoch with_lane(std::uint32_t lane) const {
    return {(bits & ~std::uint64_t{31 << 5}) | std::uint64_t{lane} << 5};
  }
  [[nodiscard]] constexpr std::uint32_t tick() const {
    return static_cast<std::uint32_t>(bits >> kTickShift);
  }
  [[nodiscard]] constexpr std::uint32_t site() const {
    return static_cast<std::uint32_t>(bits >> kSiteShift) & kMaxSite;
  }
  [[nodiscard]] constexpr std::uint32_t warp() const { return (bits >> 10) & 31; }
  [[nodiscard]] constexpr std::uint32_t lane() const { return (bits >> 5) & 31; }
  [[nodiscard]] constexpr std::uint32_t traits() const {
    return static_cast<std::uint32_t>(bits & 31);
  }
  [[nodiscard]] constexpr bool write() const { return (bits & kWriteAccess) != 0; }
  [[nodiscard]] constexpr bool strong() const { return (bits & kStrongAccess) != 0; }
  [[nodiscard]] constexpr bool is_volatile() const {
    return (bits & (kPlainVolatile | kBlockScope)) == kPlainVolatile;
  }
  /// A volatile access other than a signal.
  [[nodiscard]] constexpr bool plain_volatile() const {
    return is_volatile() && (bits & kValidating) == 0;
  }
  /// Its scope is the block or the cluster.
  [[nodiscard]] constexpr bool narrow_scope() const { return (bits & kBlockScope) != 0; }
  [[nodiscard]] constexpr bool cluster_scope() const {
    return (bits & kClusterScope) == kClusterScope;
  }
  [[nodiscard]] constexpr bool validating() const {
    return (bits & kValidating) != 0 && !is_volatile();
  }
  /// One is volatile and the other an atomic, or what is declared like one.
  [[nodiscard]] constexpr bool mixes_with(Epoch other) const {
    return strong() && other.strong() && is_volatile() != other.is_volatile();
  }
  [[nodiscard]] constexpr bool same_thread(Epoch other) const {
    return ((bits ^ other.bits) & (std::uint64_t{0x3ff} << 5)) == 0;
  }
  bool operator==(const Epoch&) const = default;
};

/// What the memory model says of two accesses that nothing orders.
enum class Meeting : std::uint8_t {
  race,  // the behaviour is undefined
  mixed,  // a volatile access and an atomic: defined, but not which comes first
  narrow,  // likewise strong, and the program has a fence or an atomic that does not reach so far
};

/// Two accesses that touch the same bytes with nothing that orders them.
struct Conflict {
  Epoch first, second;  // in the emulator's order, which means nothing
  std::uint64_t first_block = 0, second_block = 0;  // linear indices
  std::uint64_t address = 0;  // of a common byte: in shared memory an offset
  std::uint64_t owner_block = 0;  // of shared memory: whose it is
  Meeting meeting = Meeting::race;
  bool shared = false;  // shared memory
  bool same_value = false;  // both write, and what they write is equal
  bool one_instruction = false;  // two lanes of one execution of a store
  /// Of such lanes that store one value: their warp read the place before. Whether they lose each
  /// other's updates follows from the text: from whether the value is made of what was read.
  bool after_read = false;
  std::uint32_t read_site = 0;  // that read's
};

}  // namespace warpsim
