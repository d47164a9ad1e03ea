#include "grader/run/worker/running_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "grader/core/text.h"
#include "harness/case/untrusted_file.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::size_t kBytes = 4096;
constexpr std::size_t kMostName = 300;

std::string extent(const std::array<std::uint32_t, 3>& size) {
  if (size[1] == 1 && size[2] == 1) return fmt::format("{}", size[0]);
  return fmt::format("({}, {}, {})", size[0], size[1], size[2]);
}

std::uint64_t count(const std::array<std::uint32_t, 3>& size) {
  return std::uint64_t{size[0]} * size[1] * size[2];
}

}  // namespace

std::optional<ProgressNote> read_progress_note(const std::filesystem::path& file) {
  const std::optional<std::string> bytes = read_untrusted_file(file, kBytes);
  if (!bytes || bytes->size() != kBytes) return std::nullopt;
  RunningKernel kernel;
  std::memcpy(&kernel.blocks_begun, bytes->data(), sizeof kernel.blocks_begun);
  const std::string from_text = bytes->substr(sizeof kernel.blocks_begun);
  const std::string text = from_text.substr(0, from_text.find('\0'));
  if (text.empty()) return ProgressNote{};
  std::istringstream lines(text);
  std::string key;
  const auto read_extent = [&](const char* name, std::array<std::uint32_t, 3>& size) {
    return lines >> key >> size[0] >> size[1] >> size[2] && key == name;
  };
  const bool whole = lines >> key && key == "kernel" && lines.get() == ' ' &&
                     std::getline(lines, kernel.name) && read_extent("grid", kernel.grid) &&
                     read_extent("block", kernel.block);
  if (!whole) return std::nullopt;
  kernel.name = printable(kernel.name.substr(0, kMostName));
  return ProgressNote{kernel};
}

bool makes_progress(const ProgressNote& note) {
  constexpr std::uint64_t kAtATime = 64;
  return note.kernel && note.kernel->blocks_begun > kAtATime &&
         4 * note.kernel->blocks_begun >= count(note.kernel->grid);
}

std::string describe(const ProgressNote& note) {
  if (!note.kernel) return "No kernel was running: the time was spent in host code.";
  const RunningKernel& k = *note.kernel;
  return fmt::format("Kernel `{}` was running, <<<{}, {}>>>: {} of its {} had started.", k.name,
                     extent(k.grid), extent(k.block), std::min(k.blocks_begun, count(k.grid)),
                     plural(count(k.grid), "block"));
}

}  // namespace warpgrade
