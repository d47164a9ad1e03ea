#include "emulator/cudart/frozen_outputs.h"

#include <cstring>
#include <utility>

#include "emulator/cudart/host_program.h"

namespace warpsim::cudart {
namespace {

/// Memory that the call has released: host code cannot read it either.
bool is_released(const AnnouncedArray& array, const GlobalMemory& memory) {
  if (!array.on_host) return true;
  const GlobalMemory::Allocation* near = memory.nearest(array.address);
  using Kind = GlobalMemory::Kind;
  return near != nullptr && near->freed &&
         (near->kind == Kind::managed || near->kind == Kind::pinned);
}

void freeze(const AnnouncedArray& array, const GlobalMemory& memory, const SentToHost* sent,
            DeliveredArray& frozen) {
  const GlobalMemory::Allocation* allocation = memory.find(array.address);
  const bool is_here =
      allocation != nullptr && array.bytes <= allocation->size - (array.address - allocation->base);
  frozen.lost = array.bytes > 0 && !is_here && is_released(array, memory);
  if (frozen.lost || array.bytes == 0) return;
  frozen.content.resize(array.bytes);
  if (is_here) {
    std::memcpy(frozen.content.data(), allocation->host + (array.address - allocation->base),
                array.bytes);
  } else {
    HostProgram::get().read(frozen.content.data(), array.address, array.bytes);
  }
  if (sent == nullptr || !array.on_host) return;
  const SentToHost::Foreign foreign = sent->foreign_in(array, frozen.content);
  frozen.foreign_bytes = foreign.bytes;
  frozen.first_foreign = foreign.first;
}

}  // namespace

DeliveredCall freeze_outputs(std::span<const AnnouncedArray> arrays, const GlobalMemory& memory,
                             const SentToHost* sent) {
  DeliveredCall call;
  if (sent != nullptr) call.sent_bytes = sent->bytes();
  for (const AnnouncedArray& array : arrays) {
    DeliveredArray& frozen = call.arrays.emplace_back();
    frozen.name = array.name;
    frozen.bytes = array.bytes;
    frozen.element_bytes = array.element_bytes;
    frozen.is_input = array.is_input;
    frozen.is_output = array.is_output;
    frozen.on_host = array.on_host;
    if (array.is_output) freeze(array, memory, sent, frozen);
  }
  return call;
}

}  // namespace warpsim::cudart
