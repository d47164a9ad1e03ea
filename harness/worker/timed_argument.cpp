#include "harness/worker/timed_argument.h"

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "harness/worker/cuda_check.h"

namespace warpgrade::worker {

namespace {

constexpr std::size_t kSavedPart = std::size_t{8} << 20U;  // bytes

}  // namespace

InputFile::InputFile(const std::string& file, bool on_device) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (fd < 0 || fstat(fd, &status) != 0) throw std::runtime_error("cannot open " + file);
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) map_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  close(fd);
  if (map_ == MAP_FAILED) throw std::runtime_error("cannot map " + file);
  begin_ = static_cast<const std::byte*>(map_);
  if (on_device) {
    copy_ = std::make_unique<DeviceBuffer>(size_, 0);
    copy_->upload({begin_, size_});
    begin_ = copy_->data();
  }
}

InputFile::~InputFile() {
  if (size_ > 0) munmap(map_, size_);
}

std::span<const std::byte> InputFile::part(std::size_t first, std::size_t size) const {
  if (first > size_ || size > size_ - first) {
    throw std::runtime_error("a window lies outside its input");
  }
  return {begin_ + first, size};
}

TimedArgument::TimedArgument(const Argument& argument, std::span<const std::byte> input)
    : argument_(argument) {
  if (argument.is_stream) {
    stream_ = std::make_unique<StreamArgument>();
    slot_ = stream_->value();
    return;
  }
  if (!argument.is_array()) {
    slot_ = argument.scalar;
    return;
  }
  memory_ = std::make_unique<ArrayMemory>(argument);
  std::byte* data = memory_->data();
  if (!argument.is_input) {
    poison();
  } else if (memory_->host() != nullptr) {
    std::copy(input.begin(), input.end(), data);
  } else if (!input.empty()) {
    check(cudaMemcpy(data, input.data(), input.size(), cudaMemcpyDefault), "copying a parameter");
  }
  slot_.resize(sizeof(data));
  std::memcpy(slot_.data(), &data, sizeof(data));
}

void TimedArgument::freeze() {
  if (memory_ != nullptr && argument_.is_output) memory_->freeze();
}

bool TimedArgument::save(const std::string& file) const {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  const auto write = [&](std::span<const std::byte> bytes) {
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  };
  if (memory_->host() != nullptr) {
    write(memory_->host()->bytes());
  } else {
    // In parts, because allocating memory for all of it takes longer than the copy.
    const std::size_t size = argument_.size_bytes();
    std::vector<std::byte> part(std::min(size, kSavedPart));
    for (std::size_t first = 0; first < size; first += part.size()) {
      const auto bytes = std::span(part).first(std::min(part.size(), size - first));
      if (!memory_->get(bytes, first)) return false;
      write(bytes);
    }
  }
  out.close();
  if (!out) throw std::runtime_error("the output `" + argument_.name + "' cannot be written");
  return true;
}

/// The beginning from the host, the rest by copying within the device, doubling each time.
void TimedArgument::poison() {
  const std::size_t size = argument_.size_bytes();
  std::vector<std::byte> first(std::min(size, argument_.element_size * 4096));
  for (std::size_t at = 0; at < first.size(); at += argument_.element_size) {
    std::memcpy(first.data() + at, argument_.poison.data(), argument_.element_size);
  }
  memory_->set(first);
  for (std::size_t done = first.size(); done < size;) {
    const std::size_t count = std::min(done, size - done);
    std::byte* data = memory_->data();
    if (memory_->host() != nullptr) {
      std::memcpy(data + done, data, count);
    } else {
      check(cudaMemcpy(data + done, data, count, cudaMemcpyDeviceToDevice), "poisoning an output");
    }
    done += count;
  }
}

}  // namespace warpgrade::worker
