#pragma once

#include <filesystem>

namespace warpgrade {

/// Where the files are that are not part of the program itself.
struct Installation {
  std::filesystem::path root;  // labs/, reference/, datasets/, docs/
  std::filesystem::path library = {};  // libwarpgrade_worker.a, warpsim/, golden/
  std::filesystem::path cuda_headers = {};  // for clang; empty if they are nowhere
  std::filesystem::path wb_header = {};  // folder of wb.h; empty if it is nowhere

  [[nodiscard]] std::filesystem::path worker_library() const;
  /// The folder with the emulator's libcudart.
  [[nodiscard]] std::filesystem::path emulator_folder() const;
  /// One page per pitfall: P1.md, ...
  [[nodiscard]] std::filesystem::path pitfalls() const;
  /// How the machine runs code, and the words of reports.
  [[nodiscard]] std::filesystem::path machine_page() const;
};

/// Searches, in this order, WARPGRADE_ROOT, the program's build folder, the installed layout
/// (../share/warpgrade) and the source tree that the program was built from. The headers for clang
/// are in WARPGRADE_CUDA_INCLUDE, or else in the same places (emulator/include in sources, cuda in
/// ../share/warpgrade).
///
/// @throws EnvironmentError  if there is no labs/; lists where it was searched for
[[nodiscard]] Installation find_installation();

}  // namespace warpgrade
