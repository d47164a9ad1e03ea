#include "harness/worker/bound_argument.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "harness/worker/cuda_check.h"
#include "harness/worker/record_writer.h"

namespace warpgrade::worker {

namespace {

constexpr int kStale = 0x5a;  // bytes of an input before its copy in a stream

std::vector<std::byte> poisoned(const Argument& argument) {
  std::vector<std::byte> bytes(argument.size_bytes());
  for (std::size_t at = 0; at < bytes.size(); at += argument.element_size) {
    std::memcpy(bytes.data() + at, argument.poison.data(), argument.element_size);
  }
  return bytes;
}

std::vector<std::byte> loaded(const Argument& argument) {
  std::vector<std::byte> bytes(argument.size_bytes());
  for (std::size_t done = 0; done < bytes.size() || argument.input_fd < 0;) {
    // At a place of its own: other workers may read the same open file.
    const ssize_t n = pread(argument.input_fd, bytes.data() + done, bytes.size() - done,
                            static_cast<off_t>(argument.shared_offset.value_or(0) + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      throw std::runtime_error("the data of `" + argument.name + "' are not there in full");
    }
    done += static_cast<std::size_t>(n);
  }
  if (!argument.shared_offset) close(argument.input_fd);
  return bytes;
}

/// False if it cannot be written completely.
bool stored(const Argument& argument, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(argument.output_fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return close(argument.output_fd) == 0;
}

}  // namespace

BoundArgument::BoundArgument(const Argument& argument) : argument_(argument) {
  if (argument.is_stream) {
    stream_ = std::make_unique<StreamArgument>();
    slot_ = stream_->value();
    return;
  }
  if (!argument.is_array()) {
    slot_ = argument.scalar;
    return;
  }
  initial_ = argument.is_input ? loaded(argument) : poisoned(argument);
  memory_ = std::make_unique<ArrayMemory>(argument);
  memory_->set(initial_);
  const std::byte* data = memory_->data();
  slot_.resize(sizeof(data));
  std::memcpy(slot_.data(), &data, sizeof(data));
}

const std::byte* BoundArgument::data() const {
  return memory_ == nullptr ? nullptr : memory_->data();
}

void BoundArgument::arrive_in(cudaStream_t stream) {
  if (memory_ == nullptr || argument_.on_host() || !argument_.is_input || initial_.empty()) return;
  staged_ = std::make_unique<DeviceBuffer>(initial_.size(), 0);
  staged_->upload(initial_);
  check(cudaMemset(memory_->data(), kStale, initial_.size()), "filling a parameter");
  check(cudaDeviceSynchronize(), "filling a parameter");
  check(cudaMemcpyAsync(memory_->data(), staged_->data(), initial_.size(), cudaMemcpyDeviceToDevice,
                        stream),
        "copying a parameter in its stream");
}

void BoundArgument::freeze() {
  if (memory_ != nullptr && argument_.is_output) memory_->freeze();
}

void BoundArgument::finish(RecordWriter& record) const {
  if (!argument_.is_array()) return;
  if (const HostBuffer* buffer = host()) {
    report_damage("before", buffer->damage_before(), record);
    report_damage("after", buffer->damage_behind(), record);
  }
  if (argument_.is_output && argument_.is_delivered) return;
  std::vector<std::byte> now = initial_;
  if (!memory_->get(now)) now = initial_;
  if (!argument_.is_output) {
    report_input_change(now, record);
    return;
  }
  if (!stored(argument_, now)) {
    throw std::runtime_error("the output `" + argument_.name + "' cannot be written");
  }
}

void BoundArgument::report_input_change(std::span<const std::byte> now,
                                        RecordWriter& record) const {
  const std::size_t size = argument_.element_size;
  std::size_t first = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < argument_.count; ++i) {
    if (std::memcmp(now.data() + i * size, initial_.data() + i * size, size) == 0) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return;
  record.line("input-changed",
              argument_.name + " " + std::to_string(first) + " " + std::to_string(count));
}

void BoundArgument::report_damage(const char* side, const CanaryDamage& damage,
                                  RecordWriter& record) const {
  if (damage.count == 0) return;
  record.line("canary", argument_.name + " " + side + " " + std::to_string(damage.distance) + " " +
                            std::to_string(damage.count));
}

}  // namespace warpgrade::worker
