#include "emulator/cudart/decoy_inputs.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace warpsim::cudart {
namespace {

constexpr int kDecoyUsageError = 2;

void mark(std::span<std::uint8_t> sizes, std::uint64_t at, std::uint32_t size) {
  std::fill_n(sizes.begin() + static_cast<std::ptrdiff_t>(at), size, kTakenByte);
  sizes[at] = static_cast<std::uint8_t>(size);
}

}  // namespace

DecoyInputs::DecoyInputs(const std::string& file, const char* variable, const AnnouncedCall& call)
    : call_(call) {
  auto arrays = read_decoy(file);
  if (!arrays) {
    std::fprintf(stderr, "warpsim: %s='%s' is not a file of inputs\n", variable, file.c_str());
    _exit(kDecoyUsageError);
  }
  arrays_ = *std::move(arrays);
}

const DecoyArray* DecoyInputs::find(const std::string& name) const {
  const auto found = std::ranges::find(arrays_, name, &DecoyArray::name);
  return found == arrays_.end() ? nullptr : &*found;
}

const DecoyValues& DecoyInputs::values() {
  if (values_ == nullptr) values_ = std::make_unique<DecoyValues>(arrays_);
  return *values_;
}

void DecoyInputs::replace_by_place(std::span<std::byte> bytes, std::uint64_t address,
                                   std::span<std::uint8_t> sizes) const {
  for (const AnnouncedArray& array : call_.arrays()) {
    const DecoyArray* decoy = array.on_host && array.is_input ? find(array.name) : nullptr;
    if (decoy == nullptr || decoy->host.size() != array.bytes) continue;
    const std::uint32_t size = decoy->element_bytes;
    const std::uint64_t end = std::min(address + bytes.size(), array.address + array.bytes);
    std::uint64_t next = std::max(address, array.address);
    next += (size - (next - array.address) % size) % size;
    for (; next + size <= end; next += size) {
      const std::uint64_t in_input = next - array.address;
      const std::uint64_t at = next - address;
      // The program may have changed writable memory.
      if (sizes[at] != 0) continue;
      if (std::memcmp(bytes.data() + at, decoy->host.data() + in_input, size) != 0) continue;
      std::memcpy(bytes.data() + at, decoy->device.data() + in_input, size);
      mark(sizes, at, size);
    }
  }
}

void DecoyInputs::replace_by_value(std::span<std::byte> bytes, std::span<std::uint8_t> sizes,
                                   bool after_results) {
  if (std::ranges::find(sizes, std::uint8_t{0}) != sizes.end()) {
    values().replace(bytes, sizes, after_results);
  }
}

}  // namespace warpsim::cudart
