#include "emulator/cudart/announced_call.h"

#include <algorithm>
#include <cstring>

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;  // of all arrays: a worker has as many

std::optional<AnnouncedArray> read_array(const HarnessArray& array) {
  const std::size_t length = strnlen(array.name, sizeof array.name);
  const bool wraps = array.address + array.bytes < array.address;
  if (length == sizeof array.name || wraps || array.element_bytes == 0) return std::nullopt;
  return AnnouncedArray{.name = std::string(array.name, length),
                        .address = array.address,
                        .bytes = array.bytes,
                        .element_bytes = array.element_bytes,
                        .is_input = array.is_input != 0,
                        .is_output = array.is_output != 0,
                        .on_host = array.on_host != 0};
}

}  // namespace

bool AnnouncedCall::has_host_outputs() const {
  return std::ranges::any_of(
      arrays_, [](const AnnouncedArray& array) { return array.on_host && array.is_output; });
}

bool AnnouncedCall::begin(const HarnessCall& call) {
  if (state_ != State::none || call.count > kMostHarnessArrays) return false;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < call.count; ++i) {
    auto array = read_array(call.arrays[i]);
    if (!array || array->bytes > kMostBytes - bytes) return false;
    bytes += array->bytes;
    arrays_.push_back(*std::move(array));
  }
  state_ = State::running;
  return true;
}

bool AnnouncedCall::end() {
  if (state_ != State::running) return false;
  state_ = State::over;
  return true;
}

}  // namespace warpsim::cudart
