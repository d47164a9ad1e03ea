#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "emulator/machine/memory.h"

namespace warpsim {

/// Virtual memory management (cuMemCreate, cuMemAddressReserve, cuMemMap): physical memory,
/// reserved ranges of device addresses, and which memory is mapped where. Memory that is mapped and
/// that a device may access is an allocation of GlobalMemory; adjacent mappings with the same
/// access are one, since arrays continue across them. The bytes and their shadow are in files, so
/// mappings of the same memory share both.
class VirtualMemory {
 public:
  /// Measured on an H200: of addresses, of sizes, and of what is mapped.
  static constexpr std::uint64_t kGranularity = std::uint64_t{2} << 20;
  static constexpr std::uint64_t kBase = 0x2400'0000'0000;  // the first address
  static constexpr std::uint64_t kLargest = std::uint64_t{8} << 40;  // bytes of addresses

  /// Says where the program ended something: "main.cpp:31: cuMemUnmap called from main".
  using Place = std::function<std::string()>;

  /// Memory of cuMemCreate.
  struct Physical {
    std::uint64_t number = 0;  // its handle; also of its origin, as of ranges and mappings
    std::string name;  // "cuMemCreate #1"
    std::uint64_t bytes = 0;
    int device = 0;
    unsigned handle_types = 0;  // that it may be exported as, as bits
    std::uint64_t offset = 0;  // in the files
    std::uint32_t handles = 1;  // that were not released
    std::uint32_t mappings = 0;
    std::vector<std::uint64_t> exported;  // files that stand for it: their inodes
  };
  struct Mapping {
    std::uint64_t number = 0;
    std::uint64_t base = 0;
    Physical* memory = nullptr;
    std::uint32_t access = 0;  // devices that may use it, as bits
    std::uint32_t read_only = 0;  // those of them that may not write
    [[nodiscard]] std::uint64_t end() const { return base + memory->bytes; }
  };
  /// Addresses of cuMemAddressReserve.
  struct Range {
    std::uint64_t number = 0;
    std::string name;  // "cuMemAddressReserve #1"
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    bool freed = false;
    Place freed_by = {};
    struct Unmapped {
      std::uint64_t end = 0;
      Place by;
    };
    std::map<std::uint64_t, Unmapped> unmapped = {};  // what was mapped last, by address
    [[nodiscard]] std::uint64_t end() const { return base + bytes; }
  };

  /// @param memory  has what is mapped; outlives this
  explicit VirtualMemory(GlobalMemory& memory) : memory_(memory) {}
  ~VirtualMemory();
  VirtualMemory(const VirtualMemory&) = delete;
  VirtualMemory& operator=(const VirtualMemory&) = delete;

  /// Whether ranges may be there.
  [[nodiscard]] bool has_address(std::uint64_t address) const { return address - kBase < bytes_; }

  /// Whether addresses were ever reserved.
  [[nodiscard]] bool has_ranges() const { return bytes_ != 0; }

  /// @param bytes  a multiple of the granularity  @param alignment  a power of two, or 0
  /// @param hint  where the range should begin, if that is free; 0: anywhere
  /// @returns null when there is no room
  [[nodiscard]] const Range* reserve(std::uint64_t bytes, std::uint64_t alignment,
                                     std::uint64_t hint, std::string name);
  /// The range that is not freed and has this address, or null.
  [[nodiscard]] const Range* find_range(std::uint64_t address) const;
  /// @param base  of a range without mappings
  void free_range(std::uint64_t base, Place by);

  /// Uninitialized memory. @returns null when the card is full
  [[nodiscard]] const Physical* create(std::uint64_t bytes, int device, unsigned handle_types,
                                       std::string name);
  /// Memory with this handle, or null.
  [[nodiscard]] const Physical* find(std::uint64_t handle) const;
  void retain(std::uint64_t handle);
  /// Memory lives until its handles are released and its mappings removed.
  void release(std::uint64_t handle);
  /// A new file that stands for the memory in this process. @returns its descriptor, or -1
  [[nodiscard]] int export_file(std::uint64_t handle);
  /// The memory that the file of a descriptor stands for, or null.
  [[nodiscard]] const Physical* imported(int descriptor);

  /// Maps all of the memory, for no device yet. @param address  in a range, with room for it
  /// @returns false when the system refuses
  [[nodiscard]] bool map(std::uint64_t address, std::uint64_t handle);
  /// The mapping that has this address, or null.
  [[nodiscard]] const Mapping* find_mapping(std::uint64_t address) const;
  /// Whether some mappings are exactly what is between two addresses.
  [[nodiscard]] bool is_mapped(std::uint64_t begin, std::uint64_t end) const;
  /// Whether a mapping has an address between these.
  [[nodiscard]] bool any_mapped(std::uint64_t begin, std::uint64_t end) const;
  /// @param begin, end  is_mapped()
  void unmap(std::uint64_t begin, std::uint64_t end, const Place& by);
  /// @param begin, end  is_mapped()
  void set_access(std::uint64_t begin, std::uint64_t end, int device, bool reads, bool writes);

  /// An address of a range that kernels may not use: why.
  struct Unusable {
    std::string range;  // "cuMemAddressReserve #1"
    std::uint64_t range_bytes = 0;
    std::uint64_t offset = 0;  // of the address in the range
    std::uint64_t mapped_bytes = 0;  // from the beginning of the range
    enum class Why : std::uint8_t {
      not_mapped,
      no_access,
      read_only,
      unmapped,
      freed
    } why = Why::not_mapped;
    std::string memory = {};  // no_access, read_only: the memory that is mapped there
    std::uint32_t access = 0;  // likewise: the devices that may use it
    Place by = {};  // unmapped, freed
  };
  /// Nothing for an address of no range, now or earlier.
  /// @param device  that may read it, but not write, if that is why; -1: none may use it
  [[nodiscard]] std::optional<Unusable> unusable(std::uint64_t address, int device = -1) const;

  /// Addresses of memory that a device may use at lower ones, too.
  struct Alias {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t lowest = 0;  // where its first byte is, too
  };
  /// By address.
  [[nodiscard]] std::vector<Alias> aliases(int device) const;

  // What is left when a program ends.
  [[nodiscard]] std::vector<const Physical*> held() const;
  [[nodiscard]] std::vector<const Mapping*> mapped() const;
  [[nodiscard]] std::vector<const Range*> reserved() const;

 private:
  [[nodiscard]] bool open_arena();
  [[nodiscard]] bool open_files();
  [[nodiscard]] std::uint64_t find_room(std::uint64_t bytes, std::uint64_t alignment,
                                        std::uint64_t hint) const;
  [[nodiscard]] bool is_free(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] const Mapping* mapping_at(std::uint64_t address) const;
  [[nodiscard]] const Range* range_at(std::uint64_t address) const;
  [[nodiscard]] Physical& at(std::uint64_t handle) { return *physical_.at(handle); }
  void free_unused(Physical& memory);
  /// The allocations around [begin, end) again, after a change there.
  void refresh(std::uint64_t begin, std::uint64_t end);

  GlobalMemory& memory_;
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> bytes_ = 0;  // of addresses; 0: not used yet
  std::byte* backing_ = nullptr;  // of kBase
  std::uint8_t* shadow_ = nullptr;
  int files_[2] = {-1, -1};  // bytes, shadow
  std::uint64_t file_end_ = 0;
  std::uint64_t next_number_ = 1;
  std::uint64_t next_ = kBase;  // ranges are placed in order, while there is room
  std::map<std::uint64_t, Range> ranges_;  // by base, freed ones included
  std::map<std::uint64_t, Mapping> mappings_;  // by base
  std::map<std::uint64_t, std::unique_ptr<Physical>> physical_;  // by number
};

}  // namespace warpsim
