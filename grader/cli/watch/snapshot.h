#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

namespace warpgrade {

/// What a submission's files were at one moment, without their contents: enough to see that an
/// editor saved one, in place or by renaming another file over it.
///
/// Files are looked at again and again instead of asking the kernel for notifications, which some
/// mounts (network, containers, WSL's Windows drives) do not send.
class Snapshot {
 public:
  /// @param work  a file, whose whole folder counts, since it may include others; a folder; or an
  ///              archive, which counts by itself. May be missing, as while an editor saves.
  [[nodiscard]] static Snapshot of(const std::filesystem::path& work);

  /// No file is there.
  [[nodiscard]] bool empty() const { return files_.empty(); }
  bool operator==(const Snapshot&) const = default;

 private:
  /// Inode, size, time of the last change in nanoseconds.
  using State = std::tuple<std::uint64_t, std::uint64_t, std::int64_t>;
  void add(const std::filesystem::path& file);

  std::map<std::string, State> files_;
};

}  // namespace warpgrade
