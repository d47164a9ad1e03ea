#include "harness/worker/array_memory.h"

#include <cuda_runtime_api.h>

#include <cstring>

#include "harness/worker/cuda_check.h"
#include "harness/worker/device_reset.h"

namespace warpgrade::worker {

namespace {

/// The alignment from which a misaligned array is offset: enough for the widest vector load.
constexpr std::size_t kVector = 16;

}  // namespace

PinnedRange::PinnedRange(const HostBuffer& buffer, bool mapped) {
  if (buffer.bytes().empty()) return;
  check(cudaHostRegister(buffer.data(), buffer.bytes().size(),
                         mapped ? cudaHostRegisterMapped : cudaHostRegisterDefault),
        "page-locking a parameter");
  address_ = buffer.data();
}

PinnedRange::~PinnedRange() {
  if (address_ != nullptr && !device_was_reset()) (void)cudaHostUnregister(address_);
}

ArrayMemory::ArrayMemory(const Argument& argument) {
  const std::size_t offset = argument.offset * argument.element_size;
  if (argument.memory == ArrayPlace::device || argument.memory == ArrayPlace::managed) {
    device_ = std::make_unique<DeviceBuffer>(argument.size_bytes(), offset,
                                             argument.memory == ArrayPlace::managed);
    return;
  }
  const std::size_t alignment = offset == 0 ? argument.alignment() : kVector;
  host_ = std::make_unique<HostBuffer>(argument.size_bytes(), alignment, offset);
  if (argument.memory != ArrayPlace::host) {
    pinned_ = std::make_unique<PinnedRange>(*host_, argument.memory == ArrayPlace::mapped);
  }
}

std::byte* ArrayMemory::data() const {
  return host_ != nullptr ? host_->data() : device_->data();
}

void ArrayMemory::set(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (host_ != nullptr) {
    std::memcpy(host_->data(), bytes.data(), bytes.size());
  } else {
    device_->upload(bytes);
  }
}

bool ArrayMemory::get(std::span<std::byte> bytes, std::size_t first) const {
  if (host_ == nullptr) return device_->download(bytes, first);
  if (!bytes.empty()) std::memcpy(bytes.data(), host_->data() + first, bytes.size());
  return true;
}

void ArrayMemory::freeze() {
  if (host_ != nullptr) host_->freeze();
}

}  // namespace warpgrade::worker
