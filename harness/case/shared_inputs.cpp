#include "harness/case/shared_inputs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <vector>

#include "harness/lab/arguments.h"

namespace warpgrade {
namespace {

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

/// A number above those that a worker gets, where it would be taken for another file.
constexpr int kFirstNumber = 512;

}  // namespace

SharedInputs::SharedInputs(const Lab& lab, const std::map<std::string, Array>& inputs) {
  const int file = ::memfd_create("inputs", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return;
  bool is_complete = true;
  std::uint64_t size = 0;
  for (const CallArgument& argument : arguments_of(lab)) {
    if (!argument.first().is_array() || !argument.first().is_read()) continue;
    const std::vector<std::byte> bytes = bytes_of(argument, inputs);
    offsets_.emplace(argument.name, size);
    size += bytes.size();
    is_complete = is_complete && write_all(file, bytes);
  }
  constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  if (is_complete && ::fcntl(file, F_ADD_SEALS, kSeals) == 0) {
    descriptor_ = ::fcntl(file, F_DUPFD_CLOEXEC, kFirstNumber);
  }
  ::close(file);
}

SharedInputs::~SharedInputs() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace warpgrade
