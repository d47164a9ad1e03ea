#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpsim {

class VirtualMemory;

/// A byte of uninitialized memory. A card clears none either; here what is there is always
/// the same, so that runs repeat.
constexpr std::uint8_t kPoison = 0xCB;

/// Fills memory with four bytes, repeated.
void fill_words(std::byte* to, std::uint64_t bytes, std::uint32_t word);

/// Where memory comes from that host code and kernels both use. The program that owns it may be in
/// another process, which sees the same pages.
class SharedPages {
 public:
  SharedPages() = default;
  virtual ~SharedPages() = default;
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  struct Range {
    std::uint64_t address = 0;  // in the program
    std::byte* bytes = nullptr;  // the same bytes here; null: there is no room
  };
  /// Zeroed memory, followed by a page that is not accessible.
  [[nodiscard]] virtual Range allocate(std::uint64_t bytes) = 0;
  virtual void release(const Range& range, std::uint64_t bytes) = 0;
  /// Makes memory of the program's own accessible. @returns its bytes here; null when it cannot be
  [[nodiscard]] virtual std::byte* adopt(std::uint64_t address, std::uint64_t bytes) = 0;
  virtual void disown(std::uint64_t address, std::uint64_t bytes) = 0;
};
/// Memory of this process, in which the program is, too.
[[nodiscard]] SharedPages& private_pages();

/// The device's global memory: one reserved range of virtual addresses that the host may not touch
/// (a host dereference faults, as it would with a real device pointer), backed by a second mapping
/// at a constant distance, with a shadow byte per byte that says whether it is initialized.
/// Addresses are the same in every run. Freed ranges are not handed out again while there is room,
/// so a stale pointer is recognised.
class GlobalMemory {
 public:
  enum class Kind : std::uint8_t {
    device,  // cudaMalloc and friends
    pinned,  // cudaMallocHost, cudaHostAlloc: host address == device address
    managed,  // cudaMallocManaged, __managed__: likewise
    symbol,  // a __device__ variable
    constant,  // a __constant__ variable
    registered,  // cudaHostRegister: the program's own host memory
  };
  static constexpr std::uint64_t kBase = 0x2000'0000'0000;  // first device address
  static constexpr std::uint64_t kLargestReserve = std::uint64_t{1} << 38;  // 256 GiB of addresses
  static constexpr std::uint64_t kAlignment = 512;
  /// Bytes after an allocation that belong to none: a row or a plane too far must not land in the
  /// next one. Addresses cost nothing.
  static constexpr std::uint64_t guard_behind(std::uint64_t size) {
    return std::clamp<std::uint64_t>(size / 2, kLeastGuard, std::uint64_t{16} << 20);
  }
  static constexpr std::uint64_t kLeastGuard = 512;

  struct Allocation {
    std::uint64_t base = 0;  // device address
    std::uint64_t size = 0;  // bytes asked for
    Kind kind = Kind::device;
    std::uint64_t id = 0;  // 1, 2, ... in order of allocation
    std::string name;  // variable name, an argument's name, or "cudaMalloc #2"
    /// The array of an argument that a harness passes: `name` is a word of the program's source.
    bool is_argument = false;
    bool is_output = false;  // of the function that the harness calls
    int device = 0;  // whose memory it is; of the host's: the one that was current
    /// Of memory of a pool, or that is mapped: the devices that may use it, as bits. The program
    /// may change it.
    std::shared_ptr<const std::uint32_t> pool_access;
    std::uint32_t read_only = 0;  // of mapped memory: devices that may not write it, as bits
    bool mapped = false;  // memory of cuMemCreate in a range of cuMemAddressReserve
    std::byte* host = nullptr;  // where the bytes are for the emulator
    bool freed = false;
    bool module_owned = false;  // a variable, which is not freed
    std::function<std::string()> freed_by;  // gives "cudaFree" and where; null: unknown
    bool comes_back = false;  // a graph's: freed between its launches, and its range is kept
    bool graph_condition = false;  // the word of a cudaGraphConditionalHandle
    /// Every byte was written: the check of uninitialized reads can skip its shadow.
    std::atomic<bool> all_written = false;
    std::uint8_t* written = nullptr;  // size bytes of shadow: 0 uninitialized, 1 written
    bool lent = false;  // its bytes belong to who placed it: see place()

    /// Host code may use it, too.
    [[nodiscard]] bool on_host() const {
      return kind == Kind::pinned || kind == Kind::managed || kind == Kind::registered;
    }
    /// The name in a sentence: "`x`" for an argument.
    [[nodiscard]] std::string in_words() const { return is_argument ? "`" + name + "`" : name; }
  };

  /// @param capacity_bytes  the memory of each card; allocate fails beyond it
  /// @param devices  cards that share the address space, all of the same kind
  explicit GlobalMemory(std::uint64_t capacity_bytes, SharedPages& pages = private_pages(),
                        int devices = 1);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// @returns the new allocation (marked uninitialized, poisoned 0xCB), or null
  ///          when the card is full or size is 0
  Allocation* allocate(std::uint64_t size, Kind kind, std::string name, int device = 0);
  /// Makes the host range [pointer, pointer + size) visible to kernels (cudaHostRegister).
  /// @returns null when that memory cannot be shared
  Allocation* register_host(void* pointer, std::uint64_t size, std::string name, int device = 0);

  [[nodiscard]] int devices() const { return static_cast<int>(in_use_.size()); }
  /// Whether kernels and memsets of `device` may use the memory of `peer`.
  void set_peer_access(int device, int peer, bool enabled) {
    peer_access_[pair_of(device, peer)] = enabled;
  }
  [[nodiscard]] bool has_peer_access(int device, int peer) const {
    return peer_access_[pair_of(device, peer)];
  }
  /// Whether kernels of the device may use the allocation. Peer access is for allocated memory:
  /// device variables of another device stay out of reach (measured on two H100).
  [[nodiscard]] bool reaches(int device, const Allocation& allocation) const {
    const bool own = allocation.device == device && !allocation.mapped;
    if (own || allocation.on_host()) return true;
    if (allocation.pool_access != nullptr) return (*allocation.pool_access >> device & 1) != 0;
    return allocation.kind == Kind::device && has_peer_access(device, allocation.device);
  }

  /// Whether the device may use the allocation only for reading.
  [[nodiscard]] static bool read_only(int device, const Allocation& allocation) {
    return (allocation.read_only >> device & 1) != 0;
  }

  /// What uninitialized allocations hold instead of the poison: four bytes, repeated.
  /// Asked with an allocation's name; nothing: the poison.
  using StartValue = std::function<std::optional<std::uint32_t>(const std::string& name)>;
  void start_as(StartValue value) { start_value_ = std::move(value); }

  /// A range that is freed for now and not given to others: see bring_back. Null when there is no
  /// room.
  Allocation* reserve(std::uint64_t size, std::string name, int device = 0);
  /// Allocates a reserved range that is free. @returns false when it is not, or the card is full
  bool bring_back(Allocation& allocation);

  /// All allocations, set aside for a while.
  struct Aside {
    std::map<std::uint64_t, std::unique_ptr<Allocation>> by_base;
    std::map<std::uint64_t, Allocation*> live;
    std::vector<std::uint64_t> in_use;
  };
  /// Leaves an address space without allocations, for a replay of work that was done before.
  [[nodiscard]] Aside set_aside();
  /// Forgets what was placed and allocated since.
  void put_back(Aside aside);
  /// Makes memory of the caller's visible at any address that has none;
  /// its bytes count as initialized @returns null where there is an allocation
  Allocation* place(std::uint64_t base, std::uint64_t size, Kind kind, int device,
                    std::byte* bytes);

  enum class FreeResult { ok, not_found, interior, already_freed };
  /// @param freed_by  is asked when a finding is about memory that was freed
  FreeResult free(std::uint64_t address, std::function<std::string()> freed_by);
  FreeResult free(std::uint64_t address, std::string freed_by) {
    return free(address, [by = std::move(freed_by)] { return by; });
  }

  /// Memory that is created, mapped and unmapped apart from its addresses.
  [[nodiscard]] VirtualMemory& virtual_memory() { return *virtual_memory_; }
  [[nodiscard]] const VirtualMemory& virtual_memory() const { return *virtual_memory_; }
  /// Adjacent mappings with the same access, which are one allocation.
  struct MappedRun {
    std::uint64_t base = 0, bytes = 0;
    int device = 0;
    std::uint32_t access = 0;  // devices, as bits
    std::uint32_t read_only = 0;  // those of them that may not write
    std::string name;
    std::byte* host = nullptr;
    std::uint8_t* written = nullptr;
  };
  /// What is mapped between two addresses from now on. One that only grows stays the same.
  /// @param runs  by address
  void set_mapped(std::uint64_t begin, std::uint64_t end, std::vector<MappedRun> runs);
  /// Counts memory of the card as used. @returns false when it is full
  [[nodiscard]] bool charge(int device, std::uint64_t bytes);
  void discharge(int device, std::uint64_t bytes);
  /// Fills memory that is uninitialized: with the poison, or what start_as says of this name.
  void fill_unwritten(std::byte* host, std::uint64_t bytes, const std::string& name) const;

  /// The live allocation that contains `address`, or null. Thread-safe against concurrent finds.
  [[nodiscard]] Allocation* find(std::uint64_t address) const;
  /// For messages: the live or freed allocation that contains the address or lies nearest to it
  /// (within its guard zone), or null.
  [[nodiscard]] const Allocation* nearest(std::uint64_t address) const;
  /// True for addresses inside the reserved device range, allocated or not.
  [[nodiscard]] bool in_device_range(std::uint64_t address) const;
  /// True where an index of 32 bits that was never set, or read out of bounds, may lead from an
  /// array. A program's own memory is much farther away.
  [[nodiscard]] bool near_device_range(std::uint64_t address) const;

  /// True where a card would have memory mapped, so that an access out of bounds goes unnoticed
  /// there: pages of 2 MiB that hold an allocation.
  [[nodiscard]] bool in_mapped_page(std::uint64_t address) const;

  void mark_written(Allocation& allocation, std::uint64_t address, std::uint64_t bytes);
  /// Offset of the first uninitialized byte of the range within the allocation, if any.
  [[nodiscard]] std::optional<std::uint64_t> first_unwritten(const Allocation& allocation,
                                                             std::uint64_t address,
                                                             std::uint64_t bytes) const;

  /// Live allocations of every kind in order of address.
  [[nodiscard]] std::vector<Allocation*> live() const;
  /// Live allocations in order of address (not symbols, constants or mapped memory): what was never
  /// freed.
  [[nodiscard]] std::vector<const Allocation*> leaks() const;
  [[nodiscard]] std::uint64_t bytes_in_use(int device = 0) const {
    return in_use_[static_cast<std::size_t>(device)];
  }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }

 private:
  std::uint64_t reuse(std::uint64_t span);
  [[nodiscard]] std::uint64_t& in_use(int device) {
    return in_use_[static_cast<std::size_t>(device)];
  }
  [[nodiscard]] std::size_t pair_of(int device, int peer) const {
    return static_cast<std::size_t>(device) * in_use_.size() + static_cast<std::size_t>(peer);
  }

  SharedPages& pages_;
  StartValue start_value_;  // empty: the poison everywhere
  std::uint64_t capacity_ = 0;
  std::uint64_t reserved_ = 0;  // bytes of device addresses
  std::uint64_t next_ = kBase;  // bump pointer
  std::vector<std::uint64_t> in_use_;  // bytes, by device
  std::vector<bool> peer_access_;  // pair_of(device, peer)
  std::uint64_t next_id_ = 1;
  std::byte* backing_ = nullptr;  // host address of kBase's bytes
  std::uint8_t* shadow_ = nullptr;  // host address of kBase's shadow
  std::map<std::uint64_t, std::unique_ptr<Allocation>> by_base_;
  /// Mapped memory that was unmapped: a kernel that waits may know it still.
  std::vector<std::unique_ptr<Allocation>> unmapped_;
  std::unique_ptr<VirtualMemory> virtual_memory_;
  /// Those that are not freed: a program may have freed many thousands before its next launch.
  std::map<std::uint64_t, Allocation*> live_;
  mutable std::mutex mutex_;
};

}  // namespace warpsim
