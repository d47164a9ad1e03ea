#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/cudart/announced_call.h"
#include "emulator/cudart/decoy_file.h"
#include "emulator/cudart/decoy_values.h"

namespace warpsim::cudart {

/// Part of a handled element, in a list of sizes by byte.
inline constexpr std::uint8_t kTakenByte = 1;
/// The smallest size of a replaced element there.
inline constexpr std::uint8_t kLeastDecoyElement = 4;
/// Smaller parameters of kernels are scalars and pointers; input data are passed in structures.
inline constexpr std::uint32_t kLeastStructure = 16;

/// The inputs of an announced call twice, and the replacement of one by the other.
class DecoyInputs {
 public:
  /// An unreadable file ends the process, because otherwise a normal run would be taken for one
  /// with other inputs. @param variable  that names the file, for the message
  DecoyInputs(const std::string& file, const char* variable, const AnnouncedCall& call);

  /// Null for an array that is the same on both sides.
  [[nodiscard]] const DecoyArray* find(const std::string& name) const;
  [[nodiscard]] const DecoyValues& values();

  /// Calls `use(array, its inputs)` for each announced input in device memory.
  template <class Use>
  void for_each_on_device(Use use) const {
    for (const AnnouncedArray& array : call_.arrays()) {
      const DecoyArray* decoy = array.is_input && !array.on_host ? find(array.name) : nullptr;
      if (decoy != nullptr && decoy->host.size() == array.bytes) use(array, *decoy);
    }
  }

  /// Replaces input data among bytes at an address of the program: by their place in an announced
  /// array, or by their values.
  /// @param sizes  one per byte: not 0 where it is known not to be input data; set as by
  ///   DecoyValues::replace
  /// @param after_results  as for DecoyValues::replace
  void replace(std::span<std::byte> bytes, std::uint64_t address, std::span<std::uint8_t> sizes,
               bool after_results) {
    replace_by_place(bytes, address, sizes);
    replace_by_value(bytes, sizes, after_results);
  }
  void replace_by_place(std::span<std::byte> bytes, std::uint64_t address,
                        std::span<std::uint8_t> sizes) const;
  void replace_by_value(std::span<std::byte> bytes, std::span<std::uint8_t> sizes,
                        bool after_results);

 private:
  const AnnouncedCall& call_;
  std::vector<DecoyArray> arrays_;
  std::unique_ptr<DecoyValues> values_;  // created on first use
};

}  // namespace warpsim::cudart
