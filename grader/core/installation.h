#pragma once

#include <filesystem>

namespace warpgrade {

/// Where the parts that are not in the program itself lie.
struct Installation {
  std::filesystem::path root;  // labs/, reference/, datasets/, docs/
  std::filesystem::path library;  // libwarpgrade_worker.a, warpsim/, golden/

  [[nodiscard]] std::filesystem::path worker_library() const;
  /// The folder with the emulator's libcudart.
  [[nodiscard]] std::filesystem::path emulator_folder() const;
  /// A page a pitfall: P1.md, ...
  [[nodiscard]] std::filesystem::path pitfalls() const;
};

/// Looks, in this order, at WARPGRADE_ROOT, beside the program's build folder, in the installed
/// layout (../share/warpgrade) and in the source tree that the program was built from.
///
/// @throws EnvironmentError  if labs/ is nowhere; lists where it was looked for
[[nodiscard]] Installation find_installation();

}  // namespace warpgrade
