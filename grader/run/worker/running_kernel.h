#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpgrade {

/// The kernel that the emulator ran when its process was killed.
struct RunningKernel {
  std::string name;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint64_t blocks_begun = 0;
};

/// The emulator's note in the file WARPSIM_PROGRESS (emulator/cudart/progress_note.h).
struct ProgressNote {
  std::optional<RunningKernel> kernel;  // nothing: no kernel ran
};

/// Whether the kernel has begun more blocks than run at a time, and so many that the others will be
/// done in three times as long: it is slow, and ends.
[[nodiscard]] bool makes_progress(const ProgressNote& note);

/// Nothing if there is no such file or it is damaged.
[[nodiscard]] std::optional<ProgressNote> read_progress_note(const std::filesystem::path& file);

/// "Kernel `add` was running, <<<40, 256>>>: 12 of its 40 blocks had begun." or that host code was
/// running.
[[nodiscard]] std::string describe(const ProgressNote& note);

}  // namespace warpgrade
