#include "grader/core/disk.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "grader/core/error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

bool is_full(int error) {
  return error == ENOSPC || error == EDQUOT;
}

/// Whether a file is among the temporary ones, which may be put elsewhere.
bool is_temporary(const fs::path& path) {
  std::error_code error;
  const fs::path base = fs::canonical(fs::temp_directory_path(error), error);
  return !error && path.string().starts_with((base / kScratchPrefix).string());
}

std::string next_step(int error) {
  switch (error) {
    case EROFS:
    case EACCES:
    case EPERM:
      return "; choose a folder that you have write permission for";
    case ENOSPC:
    case EDQUOT:
      return "; free some space, then run the same command again (finished grades are kept)";
    case ENOTDIR:
    case EEXIST:
      return "; a file exists where a folder is needed";
    default:
      return "";
  }
}

}  // namespace

std::string cannot_write(const fs::path& path, int error) {
  const std::string next = is_full(error) && is_temporary(path)
                               ? "; free some space there, or set TMPDIR to a folder with more"
                               : next_step(error);
  return fmt::format("cannot write {}: {}{}", path.string(), std::strerror(error), next);
}

void fail_to_write(const fs::path& path, int error) {
  throw EnvironmentError(cannot_write(path, error));
}

std::string describe(const fs::filesystem_error& error) {
  const int number = error.code().value();
  return is_full(number) || number == EROFS ? cannot_write(error.path1(), number) : error.what();
}

void require_room(const fs::path& folder) {
  constexpr std::uintmax_t kLeast = std::uintmax_t{16} << 20;
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error || space.available >= kLeast) return;
  throw EnvironmentError(
      fmt::format("the disk of {} is full ({} MiB free, and at least {} are needed); free some "
                  "space there, or set TMPDIR to a folder with more",
                  folder.string(), space.available >> 20, kLeast >> 20));
}

}  // namespace warpgrade
