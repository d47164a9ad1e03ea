#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>
#include <locale.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/encoding.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/submission/archive.h"
#include "grader/submit/submission/notebook.h"
#include "grader/submit/submission/other_names.h"
#include "grader/submit/submission/source_tree.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxSkippedBytes = std::uint64_t{256} << 20;  // of files that no build uses
// Archives of RAR are known as such, but not read: then a message can say so.
constexpr std::array<std::string_view, 14> kEndings = {
    ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz",        ".tar.zst",
    ".tar",    ".zip", ".7z",      ".rar",  ".ipynb",  ".ipynb.json", ".ipynb.txt"};
/// Of a single compressed file.
constexpr std::array<std::string_view, 4> kCompressed = {".gz", ".bz2", ".xz", ".zst"};
constexpr std::string_view kEncrypted = "encrypted; make a new archive without a password";
constexpr int kMaxPacked = 4;  // archives that a file is in, one in another
constexpr std::uint64_t kMaxNotebookBytes = std::uint64_t{16} << 20;  // with pictures

struct Closer {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Reader = std::unique_ptr<archive, Closer>;

/// The path of an entry as programs unpack it: with '/' for the separator of Windows, below the
/// root, a drive, and leading "..", and with '_' for bytes that are not UTF-8, which an old program
/// of Windows wrote.
std::string inner_path(std::string_view raw) {
  std::string path = replace_all(as_utf8(raw), "\uFFFD", "_");
  path = replace_all(path, "\\", "/");
  std::size_t start = path.size() > 1 && path[1] == ':' ? 2 : 0;
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (const std::string_view outer : {"../", "./", "/"}) {
      if (!std::string_view(path).substr(start).starts_with(outer)) continue;
      start += outer.size();
      is_more = true;
    }
  }
  return path.substr(start);
}

/// Why an archive with an entry of this path is rejected; empty if it is not.
std::string path_problem(const std::string& path) {
  for (const fs::path& step : fs::path(path)) {
    if (step == "..") {
      return "has '..' in its path";
    }
  }
  return {};
}

/// "vecadd.cu" of "vecadd.cu.gz"; empty for other archives.
std::string name_of_compressed(const fs::path& file) {
  const std::string name = file.filename().string();
  std::string stem;
  for (const std::string_view ending : kCompressed) {
    if (!lower(name).ends_with(ending)) continue;
    stem = name.substr(0, name.size() - ending.size());
  }
  return lower(stem).ends_with(".tar") ? std::string() : stem;
}

/// libarchive's last error message, which is missing for some truncated files.
std::string reason_of(archive* reader) {
  const char* text = archive_error_string(reader);
  return text == nullptr ? "it is truncated" : printable(text);
}

/// UTF-8 names during its lifetime, in this thread: libarchive drops names that the locale's
/// encoding lacks, and in the C locale that is every letter beyond ASCII.
class Utf8Names {
 public:
  Utf8Names() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = ::uselocale(locale_);
  }
  ~Utf8Names() {
    if (locale_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(locale_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

/// Reads one entry's bytes, counting them into `total`.
/// @param kept  what is more is counted only: one byte over a file's limit is enough to reject it
/// @return why that failed, or empty
std::string read_entry(archive* reader, std::uint64_t& total, std::uint64_t kept,
                       std::string& content) {
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
    if (content.size() <= kept) content.append(buffer.data(), static_cast<std::size_t>(n));
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

/// Reads archives from their beginning and gives each source in them to `visit`, also of archives
/// in an archive. Always reads everything, because for a damaged archive the entries found depend
/// on what was read before.
class SourceVisit {
 public:
  /// @param path    in an archive in the archive: below a folder with that one's name
  /// @param packed  it is in one
  using Visit = std::function<void(std::string path, std::string content, bool packed)>;
  explicit SourceVisit(Visit visit) : visit_(std::move(visit)) {}

  /// @return why the archive is rejected, or empty
  std::string file(const fs::path& file) {
    const Utf8Names utf8;
    const std::string name = one_line(file.filename().string());
    if (is_notebook(file.native())) {
      try {
        return notebook(file, read_file(file, kMaxNotebookBytes), "", false);
      } catch (const UsageError& problem) {
        return fmt::format("{} was rejected: {}", name, problem.what());
      }
    }
    const Reader reader = new_reader(file);
    if (archive_read_open_filename(reader.get(), file.c_str(), 65536) != ARCHIVE_OK) {
      return not_readable(name, reader.get());
    }
    single_ = name_of_compressed(file);
    return entries(reader.get(), name, "");
  }
  /// Why an archive in the archive is not read, or empty.
  [[nodiscard]] const std::string& packed_problem() const { return packed_problem_; }
  /// Of the entry that is visited: seconds since 1970, or 0.
  [[nodiscard]] std::int64_t modified() const { return modified_; }

 private:
  static Reader new_reader(const fs::path& file) {
    Reader reader(archive_read_new());
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    archive_read_support_filter_xz(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_tar(reader.get());
    archive_read_support_format_zip(reader.get());
    archive_read_support_format_7zip(reader.get());
    if (!name_of_compressed(file).empty()) archive_read_support_format_raw(reader.get());
    return reader;
  }
  static std::string not_readable(const std::string& name, archive* reader) {
    return fmt::format("{} cannot be read as an archive ({}); make a new .zip or .tar.gz", name,
                       lower(name).ends_with(".rar") ? "RAR is not supported" : reason_of(reader));
  }

  /// @param prefix  of its paths; empty: it is not in another archive
  std::string entries(archive* reader, const std::string& name, const std::string& prefix) {
    const auto refused = [&](const std::string& why) {
      return fmt::format("{} was rejected: {}", name, why);
    };
    while (true) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(reader, &entry);
      if (status == ARCHIVE_EOF) return {};
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
        if (archive_read_has_encrypted_entries(reader) > 0) {
          return refused(fmt::format("it is {}", kEncrypted));
        }
        return refused(
            fmt::format("it is damaged ({}); make a new .zip or .tar.gz", reason_of(reader)));
      }
      if (const std::string why = one(reader, entry, prefix); !why.empty()) return refused(why);
    }
  }

  /// @return why the archive is rejected, or empty
  std::string one(archive* reader, archive_entry* entry, const std::string& prefix) {
    const bool is_single = archive_format(reader) == ARCHIVE_FORMAT_RAW;
    const char* raw = is_single ? single_.c_str() : archive_entry_pathname(entry);
    if (raw == nullptr) {
      return "an entry's name has an unknown encoding; rename it with plain letters";
    }
    const std::string shown = one_line(raw).substr(0, 200);
    const auto at_entry = [&](const std::string& why) {
      return why.empty() ? why : fmt::format("entry '{}' {}", shown, why);
    };
    const std::string inside = inner_path(raw);
    if (const std::string why = path_problem(inside); !why.empty()) return at_entry(why);
    if (inside.empty()) return at_entry(skip_entry(reader, skipped_));  // "../" itself
    std::string path = prefix + fs::path(inside).lexically_normal().generic_string();
    const bool is_students = !is_of_packages(path);
    std::uint64_t& count = is_students ? students_ : packages_;
    const std::uint64_t most = is_students ? kMaxTreeFiles : kMaxEntries;
    if (++count > most) return fmt::format("it contains more than {} files", most);
    if (archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != nullptr) {
      // One to data or to what a build needs is as useless as the data here.
      const bool may_be_work = is_submitted_name(path) && !is_plain_text(path);
      return may_be_work ? at_entry("is a link; archive the file itself") : std::string();
    }
    const bool of_macos = path.substr(prefix.size()).starts_with("__MACOSX/");
    const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (const std::string why = depth_problem(path, is_folder); !why.empty() && !of_macos) {
      return why;
    }
    const bool is_read = archive_entry_filetype(entry) == AE_IFREG && !of_macos &&
                         (is_students || packages_ <= kMaxTreeFiles) &&
                         !fs::path(path).filename().string().starts_with('.');
    std::string stem;
    std::uint64_t& total = prefix.empty() ? total_ : packed_total_;
    const bool is_packed = is_read && is_archive(path, stem);
    if (is_read && archive_entry_is_encrypted(entry) != 0 &&
        (is_packed || (is_submitted_name(path) && !is_plain_text(path)))) {
      return at_entry(fmt::format("is {}", kEncrypted));
    }
    if (is_packed) {
      std::string bytes;
      const std::string why = read_entry(reader, total, kMaxUnpackedBytes, bytes);
      if (why.empty()) packed(path, bytes);
      return at_entry(why);
    }
    // Large texts are data.
    const bool is_data = (is_plain_text(path) || is_python(path)) &&
                         archive_entry_size(entry) > static_cast<la_int64_t>(kMaxFileBytes);
    if (!is_read || is_data || !is_submitted_name(path)) {
      return at_entry(skip_entry(reader, skipped_));
    }
    std::string content;
    const std::string why = read_entry(reader, total, kMaxFileBytes, content);
    modified_ = archive_entry_mtime_is_set(entry) != 0 ? archive_entry_mtime(entry) : 0;
    if (why.empty()) visit_(std::move(path), std::move(content), !prefix.empty());
    return at_entry(why);
  }

  /// An archive in the archive, or a notebook.
  void packed(const std::string& path, const std::string& bytes) {
    std::string stem;
    const fs::path inner(path);
    (void)is_archive(inner, stem);
    const std::string prefix = (inner.parent_path() / stem).generic_string() + "/";
    std::string problem;
    if (is_notebook(path)) {
      problem = notebook(inner, bytes, prefix, true);
    } else if (depth_ == kMaxPacked) {
      problem = fmt::format("{} is in {} archives, one in another; submit it without them",
                            one_line(inner.filename().string()), kMaxPacked);
    } else {
      ++depth_;
      problem = archive_in_memory(inner, bytes, prefix);
      --depth_;
    }
    if (packed_problem_.empty()) packed_problem_ = problem;
  }

  std::string archive_in_memory(const fs::path& file, const std::string& bytes,
                                const std::string& prefix) {
    const std::string name = one_line(file.filename().string());
    const Reader reader = new_reader(file);
    if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
      return not_readable(name, reader.get());
    }
    const std::string outer = std::exchange(single_, name_of_compressed(file));
    std::string problem = entries(reader.get(), name, prefix);
    single_ = outer;
    return problem;
  }

  std::string notebook(const fs::path& file, const std::string& bytes, const std::string& prefix,
                       bool is_packed) {
    NotebookSources found = sources_of_notebook(bytes, file.stem().string());
    for (NotebookSource& source : found.sources) {
      visit_(prefix + source.path, std::move(source.text), is_packed);
    }
    return found.problem.empty()
               ? found.problem
               : fmt::format("{} {}", one_line(file.filename().string()), found.problem);
  }

  Visit visit_;
  std::uint64_t total_ = 0;
  // Apart, because a program beside an archive is read whatever that one unpacks to.
  std::uint64_t packed_total_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t students_ = 0;  // entries seen
  std::uint64_t packages_ = 0;  // the same, of builds and packages
  std::string single_;  // the name of the file in a compressed one
  int depth_ = 1;  // of the archive that is read, in others
  std::int64_t modified_ = 0;
  std::string packed_problem_;
};

}  // namespace

bool is_archive(const fs::path& file, std::string& stem) {
  const std::string name = file.filename().string();
  const std::string plain = lower(name);
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && plain.ends_with(ending)) {
      stem = name.substr(0, name.size() - ending.size());
      return true;
    }
  }
  stem = name_of_compressed(file);
  if (!is_submitted_name(stem) || is_plain_text(stem)) return false;
  stem = fs::path(stem).stem().string();
  return true;
}

namespace {

bool is_students_program(const std::string& path) {
  return is_named_like_program(path) && !is_in_build_folder(path);
}

}  // namespace

TreeResult tree_of_archive(const fs::path& file) {
  TreeResult result;
  SourceTree packed;
  bool has_program = false;
  SourceVisit visit([&](std::string path, const std::string& content, bool is_packed) {
    has_program = has_program || (!is_packed && is_students_program(path));
    // Read again when needed, because a class of archives may not fit in memory.
    SourceTree::Entry source;
    source.size = content.size();
    source.content = path;
    source.disk = file;
    source.modified = visit.modified();
    (is_packed ? packed : result.tree).add(std::move(path), std::move(source));
  });
  result.problem = visit.file(file);
  if (!has_program) {
    for (const auto& [path, source] : packed.entries()) result.tree.add(path, source);
    if (result.problem.empty()) result.problem = visit.packed_problem();
  } else {
    result.beside = std::move(packed);
  }
  if (!result.problem.empty()) {
    result.tree = {};
    result.beside = {};
  }
  return result;
}

std::string read_archive_entry(const fs::path& file, const std::string& path) {
  std::optional<std::string> found;  // the last entry with that name, as when unpacking
  const std::string problem =
      SourceVisit([&](const std::string& source, std::string content, bool) {
        if (source == path) found = std::move(content);
      }).file(file);
  if (!problem.empty() || !found) {
    throw UsageError(
        fmt::format("cannot read {} from {}: it changed during the run", path, file.string()));
  }
  return *std::move(found);
}

TreeResult tree_of_work(const fs::path& path) {
  std::string stem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return tree_of_archive(path);
  TreeResult result = tree_of_folder(path);
  const auto& files = result.tree.entries();
  const bool has_program = std::any_of(files.begin(), files.end(),
                                       [](const auto& f) { return is_students_program(f.first); });
  std::vector<std::pair<std::string, fs::path>> archives;
  for (const auto& [name, source] : files) {
    if (source.kind == SourceTree::Kind::file && is_archive(source.disk, stem)) {
      archives.emplace_back((fs::path(name).parent_path() / stem).generic_string() + "/",
                            source.disk);
    }
  }
  for (const auto& [folder, archive] : archives) {
    // Files of the same name in several archives stay apart.
    const std::string prefix = has_program || archives.size() > 1 ? folder : "";
    TreeResult part = tree_of_archive(archive);
    SourceTree& tree = has_program ? result.beside : result.tree;
    for (const auto& [name, source] : part.tree.entries()) tree.add(prefix + name, source);
    if (!has_program && result.problem.empty()) result.problem = std::move(part.problem);
  }
  return result;
}

}  // namespace warpgrade
