#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade {

/// Limits of a submission; more is rejected with a reason before anything is compiled.
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMaxTreeFiles = 2000;  // besides those of builds and packages
/// Entries of an archive, whatever they are.
inline constexpr std::uint64_t kMaxEntries = 200'000;
inline constexpr int kMaxTreeDepth = 16;  // folders that a file is in

/// A source in UTF-8, which all compilers read.
struct SourceText {
  std::string text;
  std::string from;  // the encoding from which it was converted; empty: none
};

/// One student's submission: a read-only view of files, from a folder or from an archive that is
/// never unpacked to the disk. Paths are relative, with '/', and never leave the tree.
class SourceTree {
 public:
  enum class Kind : std::uint8_t { file, folder, link_outside, special };

  struct Entry {
    Kind kind = Kind::file;
    std::uint64_t size = 0;
    std::filesystem::path disk;  // where to read it: a file, an archive; empty: `content` holds it
    std::string content;  // or, for a file in an archive, its path in it
    std::int64_t modified = 0;  // of a file in an archive: seconds since 1970; 0: unknown
  };

  SourceTree() = default;
  /// A folder whose files are looked up on demand and never listed, because other files in it do
  /// not matter.
  explicit SourceTree(std::filesystem::path root) : root_(std::move(root)) {}

  void add(std::string path, Entry entry);

  [[nodiscard]] std::optional<Entry> find(const std::string& path) const;
  /// The files; empty for a tree that is not listed.
  [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

  /// Reads a file entry.
  /// @throws UsageError  if it no longer exists or is not readable
  [[nodiscard]] static std::string read(const Entry& entry);
  /// The same, with a text in UTF-16 or UTF-32 converted.
  [[nodiscard]] static SourceText read_text(const Entry& entry);

 private:
  std::map<std::string, Entry> entries_;
  std::filesystem::path root_;  // canonical
};

/// A tree, or the reason why there is none, one sentence.
struct TreeResult {
  SourceTree tree;
  std::string problem;
  std::string fault;  // an error while reading that is not the student's mistake
  /// What archives and notebooks beside a program contain, in folders with their names.
  SourceTree beside = {};
};

/// Whether a file is in a folder of builds, packages or an editor, which may have any number of
/// them: those above kMaxTreeFiles are ignored, and not rejected.
[[nodiscard]] bool is_of_packages(std::string_view path);

/// Why a submission with this entry is rejected, whether it is a folder or an archive: it is in too
/// many nested folders. Empty if it is not; hidden entries and what they contain are not read.
/// @param path       relative, with '/'
/// @param is_folder  the entry itself counts, too
[[nodiscard]] std::string depth_problem(const std::string& path, bool is_folder);

/// Lists a folder without following links that lead out of it. Hidden entries are left out. Rejects
/// too many files and too deep folders with a reason.
[[nodiscard]] TreeResult tree_of_folder(const std::filesystem::path& folder);

/// Reads a .zip, .7z or .tar, also compressed by gzip, bzip2, xz or zstd, or the cells of a
/// notebook (notebook.h), into memory.
/// Rejects, as a whole and with a reason, archives with ".." within a path, links, too many or too
/// large files, too deep folders, or more data than a submission can have (decompression bombs);
/// entries that no build uses are skipped. Paths begin below "/", "C:\\" and "../", as when
/// archives are unpacked. The files of archives in it, and in those, are in folders with their
/// names; where there is a program beside them they are kept apart, in `beside`.
[[nodiscard]] TreeResult tree_of_archive(const std::filesystem::path& file);

/// A student's work as it was handed in: a folder or an archive. Archives in it are read, too:
/// those of several, or beside a program, are kept apart, in folders with their names.
[[nodiscard]] TreeResult tree_of_work(const std::filesystem::path& path);

/// Whether a file's name, in any case, is that of an archive or notebook that tree_of_archive
/// reads, or of a .rar, which it rejects; `stem` gets the name without the ending.
[[nodiscard]] bool is_archive(const std::filesystem::path& file, std::string& stem);

/// Whether a build can use a file of this name: programs (.cu, .hip), .cuh and C++ headers.
[[nodiscard]] bool is_source_name(const std::string& path);

/// Whether a grade can depend on a file of this name: is_source_name(), with an unusual ending
/// (other_names.h), or answers to questions.
[[nodiscard]] bool is_submitted_name(const std::string& path);

}  // namespace warpgrade
