#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/submission/archive.h"
#include "grader/submission/source_tree.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxSkippedBytes = std::uint64_t{256} << 20;  // of files that no build uses
constexpr std::array<std::string_view, 4> kEndings = {".tar.gz", ".tgz", ".tar", ".zip"};

struct Closer {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Reader = std::unique_ptr<archive, Closer>;

/// Why an archive with an entry of this name is rejected; empty if it is not.
std::string name_problem(std::string_view name) {
  if (name.starts_with('/') || name.starts_with('\\') || (name.size() > 1 && name[1] == ':')) {
    return "has an absolute path";
  }
  for (const fs::path& step : fs::path(replace_all(name, "\\", "/"))) {
    if (step == "..") {
      return "has '..' in its path";
    }
  }
  return {};
}

/// libarchive's last error message, which is missing for some truncated files.
std::string reason_of(archive* reader) {
  const char* text = archive_error_string(reader);
  return text == nullptr ? "it is truncated" : printable(text);
}

/// Reads one entry's bytes, counting them into `total`.
/// @return why that failed, or empty
std::string read_entry(archive* reader, std::uint64_t& total, std::string& content) {
  std::array<char, 65536> buffer;
  while (true) {
    const la_ssize_t n = archive_read_data(reader, buffer.data(), buffer.size());
    if (n == 0) {
      return {};
    }
    if (n < 0) {
      return fmt::format("is damaged: {}", reason_of(reader));
    }
    total += static_cast<std::uint64_t>(n);
    if (total > kMaxUnpackedBytes) {
      return fmt::format("unpacks to more than {}", human_bytes(kMaxUnpackedBytes));
    }
    // One byte over the limit is enough to reject the file by its size later.
    if (content.size() <= kMaxFileBytes) {
      content.append(buffer.data(), static_cast<std::size_t>(n));
    }
  }
}

/// Skips an entry that is not needed. In a compressed archive it must be unpacked, which would take
/// forever for a bomb, so bytes are counted into `skipped`.
/// @return why the archive is rejected, or empty
std::string skip_entry(archive* reader, std::uint64_t& skipped) {
  while (true) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(reader, &block, &size, &offset);
    // The end, or damaged: the next header tells whether the archive is readable further on.
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return {};
    skipped += size;
    if (skipped > kMaxSkippedBytes) {
      return fmt::format("unpacks to more than {}", human_bytes(kMaxSkippedBytes));
    }
  }
}

/// Reads an archive from its beginning and gives each source in it to `visit`, with its path and
/// its content. Always reads everything, because for a damaged archive the entries found depend on
/// what was read before.
/// @return why the archive is rejected, or empty
std::string visit_sources(const fs::path& file,
                          const std::function<void(std::string, std::string)>& visit) {
  const std::string name = one_line(file.filename().string());
  const auto refused = [&](const std::string& why) {
    return fmt::format("{} was rejected: {}", name, why);
  };
  const Reader reader(archive_read_new());
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  if (archive_read_open_filename(reader.get(), file.c_str(), 65536) != ARCHIVE_OK) {
    return fmt::format("{} cannot be read as an archive ({}); make a new .zip or .tar.gz", name,
                       reason_of(reader.get()));
  }
  std::uint64_t total = 0;
  std::uint64_t skipped = 0;
  std::uint64_t seen = 0;
  while (true) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) return {};
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      return refused(
          fmt::format("it is damaged ({}); make a new .zip or .tar.gz", reason_of(reader.get())));
    }
    const char* raw = archive_entry_pathname(entry);
    if (raw == nullptr) {
      return refused("an entry's name has an unknown encoding; rename it with plain letters");
    }
    const std::string shown = one_line(raw).substr(0, 200);
    if (const std::string why = name_problem(raw); !why.empty()) {
      return refused(fmt::format("entry '{}' {}", shown, why));
    }
    if (++seen > kMaxTreeFiles) {
      return refused(fmt::format("it contains more than {} files", kMaxTreeFiles));
    }
    if (archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != nullptr) {
      return refused(fmt::format("entry '{}' is a link; archive the file itself", shown));
    }
    std::string path = fs::path(raw).lexically_normal().generic_string();
    const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (const std::string why = depth_problem(path, is_folder);
        !why.empty() && !path.starts_with("__MACOSX/")) {
      return refused(why);
    }
    if (archive_entry_filetype(entry) != AE_IFREG || !is_submitted_name(path) ||
        path.starts_with("__MACOSX/") || fs::path(path).filename().string().starts_with('.')) {
      if (const std::string why = skip_entry(reader.get(), skipped); !why.empty()) {
        return refused(fmt::format("entry '{}' {}", shown, why));
      }
      continue;
    }
    std::string content;
    if (const std::string why = read_entry(reader.get(), total, content); !why.empty()) {
      return refused(fmt::format("entry '{}' {}", shown, why));
    }
    visit(std::move(path), std::move(content));
  }
}

}  // namespace

bool is_archive(const fs::path& file, std::string& stem) {
  const std::string name = file.filename().string();
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      stem = name.substr(0, name.size() - ending.size());
      return true;
    }
  }
  return false;
}

TreeResult tree_of_archive(const fs::path& file) {
  TreeResult result;
  result.problem = visit_sources(file, [&](std::string path, const std::string& content) {
    // Read again when needed, because a class of archives may not fit in memory.
    SourceTree::Entry source;
    source.size = content.size();
    source.content = path;
    source.disk = file;
    result.tree.add(std::move(path), std::move(source));
  });
  if (!result.problem.empty()) result.tree = {};
  return result;
}

std::string read_archive_entry(const fs::path& file, const std::string& path) {
  std::optional<std::string> found;  // the last entry with that name, as when unpacking
  const std::string problem =
      visit_sources(file, [&](const std::string& source, std::string content) {
        if (source == path) found = std::move(content);
      });
  if (!problem.empty() || !found) {
    throw UsageError(
        fmt::format("cannot read {} from {}: it changed during the run", path, file.string()));
  }
  return *std::move(found);
}

}  // namespace warpgrade
