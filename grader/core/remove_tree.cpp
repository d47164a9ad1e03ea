#include "grader/core/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace warpgrade {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

constexpr mode_t kOwner = 0700;

/// Opens a folder, but no link to one; null on failure.
Folder open_folder(int parent, const char* name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = ::openat(parent, name, kFlags);
  if (fd < 0 && errno == EACCES) {
    (void)::fchmodat(parent, name, kOwner, 0);
    fd = ::openat(parent, name, kFlags);
  }
  if (fd < 0) {
    return nullptr;
  }
  (void)::fchmod(fd, kOwner);
  DIR* folder = ::fdopendir(fd);
  if (folder == nullptr) {
    ::close(fd);
  }
  return Folder(folder);
}

bool is_itself_or_parent(const char* name) {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

/// Empties one folder: files are removed and folders moved up to the root under a new name, so that
/// no path has more than two components.
class Remover {
 public:
  explicit Remover(DIR* root) : root_(root), root_fd_(::dirfd(root)) {}

  void empty() {
    // A folder moved up while the root is read may be listed in this round or not, so repeat until
    // a round removes nothing.
    do {
      removed_ = false;
      ::rewinddir(root_);
      while (const dirent* entry = ::readdir(root_)) {
        if (!is_itself_or_parent(entry->d_name)) {
          remove(entry->d_name);
        }
      }
    } while (removed_);
  }

 private:
  void remove(const char* name) {
    if (::unlinkat(root_fd_, name, 0) == 0 || ::unlinkat(root_fd_, name, AT_REMOVEDIR) == 0) {
      removed_ = true;
      return;
    }
    const Folder folder = open_folder(root_fd_, name);
    if (!folder) {
      return;
    }
    const int fd = ::dirfd(folder.get());
    while (const dirent* entry = ::readdir(folder.get())) {
      if (is_itself_or_parent(entry->d_name)) {
        continue;
      }
      if (::unlinkat(fd, entry->d_name, 0) == 0 ||
          ::unlinkat(fd, entry->d_name, AT_REMOVEDIR) == 0) {
        removed_ = true;
      } else {
        bring_up(fd, entry->d_name);
      }
    }
    removed_ = ::unlinkat(root_fd_, name, AT_REMOVEDIR) == 0 || removed_;
  }

  void bring_up(int parent, const char* name) {
    // Moving a folder needs write permission on it.
    (void)::fchmodat(parent, name, kOwner, 0);
    char moved[64];
    (void)std::snprintf(moved, sizeof moved, ".warpgrade-moved-%d-%llu", ::getpid(), number_++);
    removed_ = ::renameat(parent, name, root_fd_, moved) == 0 || removed_;
  }

  DIR* root_;
  int root_fd_;
  unsigned long long number_ = 0;
  bool removed_ = false;
};

}  // namespace

void remove_tree(const std::filesystem::path& folder) noexcept {
  if (const Folder root = open_folder(AT_FDCWD, folder.c_str())) {
    Remover(root.get()).empty();
  }
  if (::rmdir(folder.c_str()) != 0) {
    (void)::unlink(folder.c_str());
  }
}

}  // namespace warpgrade
