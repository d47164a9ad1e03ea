#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/submit/submission/source_tree.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct TestEntry {
  std::string name;
  std::string content;
  std::string link_to;  // makes it a symbolic link
};

void write_archive(const fs::path& file, const std::vector<TestEntry>& entries,
                   const char* password = nullptr) {
  archive* a = archive_write_new();
  if (file.extension() == ".zip") {
    archive_write_set_format_zip(a);
  } else if (file.extension() == ".7z") {
    archive_write_set_format_7zip(a);
  } else {
    archive_write_set_format_pax_restricted(a);
    const std::string ending = file.extension();
    if (ending.ends_with("bz2")) {
      archive_write_add_filter_bzip2(a);
    } else if (ending.ends_with("xz")) {
      archive_write_add_filter_xz(a);
    } else if (ending == ".zst") {
      archive_write_add_filter_zstd(a);
    } else {
      archive_write_add_filter_gzip(a);
      archive_write_set_options(a, "gzip:compression-level=1");
    }
  }
  if (password != nullptr) {
    REQUIRE(archive_write_set_options(a, "zip:encryption=aes256") == ARCHIVE_OK);
    REQUIRE(archive_write_set_passphrase(a, password) == ARCHIVE_OK);
  }
  REQUIRE(archive_write_open_filename(a, file.c_str()) == ARCHIVE_OK);
  for (const TestEntry& e : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, e.name.c_str());
    archive_entry_set_perm(entry, 0644);
    if (e.link_to.empty()) {
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_size(entry, static_cast<la_int64_t>(e.content.size()));
    } else {
      archive_entry_set_filetype(entry, AE_IFLNK);
      archive_entry_set_symlink(entry, e.link_to.c_str());
    }
    REQUIRE(archive_write_header(a, entry) >= ARCHIVE_WARN);  // of the locale
    archive_write_data(a, e.content.data(), e.content.size());
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
}

TEST_CASE("archives of all kinds are read without touching the disk", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / GENERATE("s.zip", "s.tar.gz", "s.tgz", "s.7z", "s.tar.bz2",
                                                  "s.tbz2", "s.tar.xz", "s.txz", "s.tar.zst");
  write_archive(file, {{"./vecadd.cu", "code", ""}, {"notes.md", "no source", ""}});
  const TreeResult result = tree_of_archive(file);
  CHECK(result.problem.empty());
  REQUIRE(result.tree.entries().size() == 1);
  CHECK(result.tree.entries().begin()->first == "vecadd.cu");
  CHECK(SourceTree::read(result.tree.entries().begin()->second) == "code");
}

TEST_CASE("names beyond ASCII are read, marked as UTF-8 or not", "[submission][archive]") {
  const auto [name, marked] =
      GENERATE(std::pair("s.zip", true), std::pair("s.zip", false), std::pair("s.tar.gz", true),
               std::pair("s.tar.gz", false), std::pair("s.7z", true));
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / name;
  {
    // A program with a UTF-8 locale marks them.
    const std::unique_ptr<std::remove_pointer_t<locale_t>, void (*)(locale_t)> locale(
        ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr), ::freelocale);
    const locale_t before = ::uselocale(marked ? locale.get() : LC_GLOBAL_LOCALE);
    write_archive(file, {{"\u00dcbung 1/vecadd.cu", "code", ""}, {"\u4f5c\u4e1a/a.h", "h", ""}});
    ::uselocale(before);
  }
  const TreeResult result = tree_of_archive(file);
  CHECK(result.problem.empty());
  REQUIRE(result.tree.entries().size() == 2);
  CHECK(result.tree.find("\u00dcbung 1/vecadd.cu").has_value());
  CHECK(result.tree.find("\u4f5c\u4e1a/a.h").has_value());
}

std::vector<std::string> paths_of(const TreeResult& result) {
  std::vector<std::string> paths;
  for (const auto& [path, source] : result.tree.entries()) {
    const bool is_file = source.kind == SourceTree::Kind::file;
    if (is_file && is_submitted_name(path)) paths.push_back(path);
  }
  return paths;
}

TEST_CASE("an archive in an archive is read if there is no program beside it",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path inner = scratch.path() / "inner.zip";
  write_archive(inner, {{"src/vecadd.cu", "code", ""}, {"src/tile.cuh", "tile", ""}});
  const std::string bytes = read_file(inner);
  const fs::path file = scratch.path() / GENERATE("s.zip", "s.tar.gz");
  write_archive(file, {{"work/mine.zip", bytes, ""}, {"readme.md", "see mine.zip", ""}});
  const TreeResult result = tree_of_archive(file);
  CHECK(result.problem.empty());
  CHECK(paths_of(result) ==
        std::vector<std::string>{"work/mine/src/tile.cuh", "work/mine/src/vecadd.cu"});
  CHECK(SourceTree::read(*result.tree.find("work/mine/src/vecadd.cu")) == "code");
  write_archive(file, {{"work/mine.zip", bytes, ""}, {"vecadd.cu", "the other", ""}});
  CHECK(paths_of(tree_of_archive(file)) == std::vector<std::string>{"vecadd.cu"});
}

TEST_CASE("an archive in an archive has the same limits, and matters only if it is needed",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path inner = scratch.path() / "inner.zip";
  write_archive(inner, {{"vecadd.cu", std::string(std::size_t{65} << 20, ' '), ""}});
  const std::string bomb = read_file(inner);
  write_archive(inner, {{"a/../vecadd.cu", "code", ""}});
  const auto [bytes, why] = GENERATE_REF(
      std::pair<std::string, std::string>{bomb, "unpacks to more than"},
      std::pair<std::string, std::string>{read_file(inner), "has '..' in its path"},
      std::pair<std::string, std::string>{bomb.substr(0, bomb.size() / 2), "is damaged"},
      std::pair<std::string, std::string>{"no archive", "cannot be read as an archive"});
  const fs::path file = scratch.path() / "s.zip";
  write_archive(file, {{"mine.zip", bytes, ""}});
  const TreeResult alone = tree_of_archive(file);
  CHECK(alone.problem.starts_with("mine.zip "));
  CHECK(alone.problem.find(why) != std::string::npos);
  write_archive(file, {{"mine.zip", bytes, ""}, {"vecadd.cu", "code", ""}});
  CHECK(tree_of_archive(file).problem.empty());
}

TEST_CASE("archives in archives are read to a limit, which is named", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.zip";
  write_archive(file, {{"vecadd.cu", "code", ""}});
  std::string path;
  for (int depth = 2; depth <= 4; ++depth) {
    const std::string bytes = read_file(file);
    write_archive(file, {{fmt::format("in/{}.zip", depth), bytes, ""}});
    path = fmt::format("in/{}/{}", depth, path);
    INFO(path);
    const TreeResult result = tree_of_archive(file);
    CHECK(result.problem.empty());
    CHECK(paths_of(result) == std::vector<std::string>{path + "vecadd.cu"});
    CHECK(SourceTree::read(*result.tree.find(path + "vecadd.cu")) == "code");
  }
  const std::string bytes = read_file(file);
  write_archive(file, {{"5.zip", bytes, ""}});
  CHECK(tree_of_archive(file).tree.entries().empty());
  CHECK(tree_of_archive(file).problem ==
        "2.zip is in 4 archives, one in another; submit it without them");
}

TEST_CASE("names of Windows are read: capitals, and its separator", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.tar.gz";
  write_archive(file, {{"src\\vecadd.cu", "code", ""}, {"src\\UTIL.CUH", "tile", ""}});
  const TreeResult result = tree_of_archive(file);
  CHECK(paths_of(result) == std::vector<std::string>{"src/UTIL.CUH", "src/vecadd.cu"});
  CHECK(SourceTree::read(*result.tree.find("src/vecadd.cu")) == "code");
  write_archive(scratch.path() / "a.zip", {{"vecadd.cu", "code", ""}});
  fs::rename(scratch.path() / "a.zip", scratch.path() / "A.ZIP");
  CHECK(paths_of(tree_of_archive(scratch.path() / "A.ZIP")).size() == 1);
}

TEST_CASE("an archive of RAR is named, not missed", "[submission][archive]") {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "ada" / "work.rar", "Rar!\x1a\x07\x01");
  CHECK(tree_of_work(scratch.path() / "ada").problem ==
        "work.rar cannot be read as an archive (RAR is not supported); make a new .zip or .tar.gz");
}

TEST_CASE("an archive with a password is named as such", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.zip";
  write_archive(file, {{"vecadd.cu", "code", ""}}, "secret");
  CHECK(tree_of_archive(file).problem ==
        "s.zip was rejected: entry 'vecadd.cu' is encrypted; make a new archive without a "
        "password");
  write_archive(file, {{"notes.docx", "words", ""}}, "secret");
  CHECK(tree_of_archive(file).problem.empty());
}

TEST_CASE("a text that may be a program is read, and one that is data is skipped",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.zip";
  write_archive(file, {{"vecadd.txt", "code", ""},
                       {"data.txt", std::string(std::size_t{70} << 20, '1'), ""}});
  const TreeResult result = tree_of_archive(file);
  CHECK(result.problem.empty());
  CHECK(paths_of(result) == std::vector<std::string>{"vecadd.txt"});
}

TEST_CASE("archives in a student's folder are read, and several are kept apart",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "ada";
  fs::create_directories(folder / "week 3");
  write_archive(folder / "week 3" / "first.zip", {{"vecadd.cu", "first", ""}});
  CHECK(paths_of(tree_of_work(folder)) == std::vector<std::string>{"vecadd.cu"});
  write_archive(folder / "second.zip", {{"vecadd.cu", "second", ""}});
  const TreeResult two = tree_of_work(folder);
  CHECK(paths_of(two) == std::vector<std::string>{"second/vecadd.cu", "week 3/first/vecadd.cu"});
  CHECK(SourceTree::read(*two.tree.find("second/vecadd.cu")) == "second");
  write_file_atomically(folder / "vecadd.cu", "third");
  CHECK(paths_of(tree_of_work(folder)) == std::vector<std::string>{"vecadd.cu"});
  CHECK(tree_of_work(folder).beside.find("second/vecadd.cu"));
}

TEST_CASE("an archive with paths or links to outside is rejected as a whole",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.tar.gz";
  const auto problem = [&](const TestEntry& bad) {
    write_archive(file, {{"vecadd.cu", "code", ""}, bad});
    const TreeResult result = tree_of_archive(file);
    CHECK(result.tree.entries().empty());
    return result.problem;
  };
  CHECK(problem({"a/../../x.cu", "", ""}) ==
        "s.tar.gz was rejected: entry 'a/../../x.cu' has '..' in its path");
  CHECK(problem({"a\\..\\x.cu", "", ""}) ==
        "s.tar.gz was rejected: entry 'a\\..\\x.cu' has '..' in its path");
  CHECK(problem({"link.cu", "", "/etc/passwd"}) ==
        "s.tar.gz was rejected: entry 'link.cu' is a link; archive the file itself");
}

TEST_CASE("paths in an archive begin where programs unpack them", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.tar.gz";
  const auto* path = GENERATE("/home/ada/lab/vecadd.cu", "../home/ada/lab/vecadd.cu",
                              "..\\../home\\ada/lab/vecadd.cu", "C:\\home\\ada\\lab\\vecadd.cu",
                              "././/home/ada/lab/vecadd.cu");
  write_archive(file, {{path, "code", ""}});
  const TreeResult result = tree_of_archive(file);
  CHECK(result.problem.empty());
  REQUIRE(paths_of(result) == std::vector<std::string>{"home/ada/lab/vecadd.cu"});
  CHECK(SourceTree::read(*result.tree.find("home/ada/lab/vecadd.cu")) == "code");
}

TEST_CASE("a name in an old encoding is read with another letter", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.zip";
  write_archive(file, {{"vecadd_Xbung.cu", "code", ""}});
  // As the archiver of Windows writes it, in code page 437.
  write_file_atomically(file, replace_all(read_file(file), "vecadd_X", "vecadd_\x9A"));
  const TreeResult result = tree_of_archive(file);
  REQUIRE(paths_of(result) == std::vector<std::string>{"vecadd__bung.cu"});
  CHECK(SourceTree::read(*result.tree.find("vecadd__bung.cu")) == "code");
}

TEST_CASE("a submission is read beside any number of files of packages", "[submission][archive]") {
  const ScratchFolder scratch;
  const std::string folder =
      GENERATE("node_modules", "venv/lib/site-packages", "p/.git/objects", "p/build");
  std::vector<TestEntry> entries;
  for (int i = 0; i < 2100; ++i) entries.push_back({fmt::format("{}/{}.h", folder, i), "", ""});
  entries.push_back({"vecadd.cu", "code", ""});
  write_archive(scratch.path() / "s.zip", entries);
  const TreeResult packed = tree_of_archive(scratch.path() / "s.zip");
  CHECK(packed.problem.empty());
  CHECK(packed.tree.find("vecadd.cu"));
  for (const TestEntry& entry : entries) {
    fs::create_directories((scratch.path() / "s" / entry.name).parent_path());
    std::ofstream(scratch.path() / "s" / entry.name) << entry.content;
  }
  const TreeResult unpacked = tree_of_folder(scratch.path() / "s");
  CHECK(unpacked.problem.empty());
  CHECK(unpacked.tree.find("vecadd.cu"));
}

TEST_CASE("a name that only looks like a path to outside is accepted", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.tar.gz";
  write_archive(file, {{"..vecadd.cu", "code", ""}, {"a..b/vecadd.cu", "code", ""}});
  const TreeResult result = tree_of_archive(file);
  CHECK(result.problem.empty());
  CHECK(result.tree.find("a..b/vecadd.cu"));
}

TEST_CASE("a decompression bomb is rejected before it is unpacked", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "bomb.tar.gz";
  const std::string zeros(40u << 20, '\0');
  write_archive(file, {{"a.cu", zeros, ""}, {"b.cu", zeros, ""}});
  REQUIRE(fs::file_size(file) < 1u << 20);
  CHECK(tree_of_archive(file).problem ==
        "bomb.tar.gz was rejected: entry 'b.cu' unpacks to more than 64.0 MiB");
}

TEST_CASE("a decompression bomb is rejected in a file that no build uses, too",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "bomb.tar.gz";
  const std::string zeros(43u << 20, '\0');
  std::vector<TestEntry> entries = {{"vecadd.cu", "int x;", ""}};
  for (int i = 0; i < 5; ++i) entries.push_back({fmt::format("{}.bin", i), zeros, ""});
  write_archive(file, entries);
  CHECK(tree_of_archive(file).problem.empty());
  entries.push_back({"5.bin", zeros, ""});
  write_archive(file, entries);
  CHECK(tree_of_archive(file).problem ==
        "bomb.tar.gz was rejected: entry '5.bin' unpacks to more than 256.0 MiB");
}

TEST_CASE("an archive with too many entries is rejected", "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "many.zip";
  std::vector<TestEntry> entries;
  for (int i = 0; i < 2001; ++i) {
    entries.push_back({std::to_string(i) + ".cu", "", ""});
  }
  write_archive(file, entries);
  CHECK(tree_of_archive(file).problem == "many.zip was rejected: it contains more than 2000 files");
}

std::string folders(int count) {
  std::string path;
  for (int i = 0; i < count; ++i) path += "d/";
  return path;
}

TEST_CASE("files in as many nested folders as are read are found, in an archive and in a folder",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const std::string path = folders(kMaxTreeDepth) + "vecadd.cu";
  write_archive(scratch.path() / "s.tar.gz", {{path, "code", ""}});
  write_file_atomically(scratch.path() / "s" / path, "code");
  for (const TreeResult& result :
       {tree_of_archive(scratch.path() / "s.tar.gz"), tree_of_folder(scratch.path() / "s")}) {
    CHECK(result.problem.empty());
    const auto entry = result.tree.find(path);
    REQUIRE(entry);
    CHECK(SourceTree::read(*entry) == "code");
  }
}

TEST_CASE("more nested folders than are read are rejected, in an archive as in a folder",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const int depth = GENERATE(kMaxTreeDepth + 1, 100);
  write_archive(scratch.path() / "s.tar.gz",
                {{"vecadd.cu", "code", ""}, {folders(depth) + "vecadd.cu", "code", ""}});
  write_file_atomically(scratch.path() / "s" / "vecadd.cu", "code");
  fs::create_directories(scratch.path() / "s" / folders(depth));
  const TreeResult archive = tree_of_archive(scratch.path() / "s.tar.gz");
  CHECK(archive.problem ==
        fmt::format("s.tar.gz was rejected: '{}' is in more than 16 nested folders; move your "
                    "files nearer to the top, and submit again",
                    (folders(depth) + "vecadd.cu").substr(0, 200)));
  CHECK(archive.tree.entries().empty());
  CHECK(tree_of_folder(scratch.path() / "s").problem ==
        "s was rejected: 'd/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d' is in more than 16 nested folders; "
        "move your files nearer to the top, and submit again");
}

TEST_CASE("a path of thousands of folders in an archive is rejected, and hidden ones are not read",
          "[submission][archive]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "s.tar.gz";
  write_archive(file, {{folders(3000) + "vecadd.cu", "code", ""}});
  CHECK(tree_of_archive(file).problem.starts_with("s.tar.gz was rejected: 'd/d/d/"));
  const std::string hidden = ".git/" + folders(100);
  write_archive(file, {{"vecadd.cu", "code", ""}, {hidden + "object", "", ""}});
  CHECK(tree_of_archive(file).problem.empty());
  write_file_atomically(scratch.path() / "s" / "vecadd.cu", "code");
  write_file_atomically(scratch.path() / "s" / hidden / "object", "");
  CHECK(tree_of_folder(scratch.path() / "s").problem.empty());
  write_archive(file,
                {{std::string("./././././././././././././././././././") + "vecadd.cu", "", ""}});
  CHECK(tree_of_archive(file).problem.empty());
}

TEST_CASE("a file that is not an archive, or a truncated one, is a problem and not a crash",
          "[submission][archive]") {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "text.zip", "this is text");
  CHECK(tree_of_archive(scratch.path() / "text.zip").problem.find("text.zip") == 0);
  write_archive(scratch.path() / "whole.zip", {{"vecadd.cu", std::string(5000, 'x'), ""}});
  const std::string bytes = read_file(scratch.path() / "whole.zip");
  write_file_atomically(scratch.path() / "half.zip", bytes.substr(0, 30));
  CHECK_FALSE(tree_of_archive(scratch.path() / "half.zip").problem.empty());
}

TEST_CASE("archive suffixes are recognized, and the rest is the student's name",
          "[submission][archive]") {
  std::string stem;
  CHECK(is_archive("class/s01.tar.gz", stem));
  CHECK(stem == "s01");
  CHECK(is_archive("S02.Tar.XZ", stem));
  CHECK(stem == "S02");
  CHECK_FALSE(is_archive("s01.cu", stem));
  CHECK_FALSE(is_archive(".zip", stem));
}

TEST_CASE("a single compressed program is read, and a link that is not a source is skipped",
          "[submission][archive]") {
  const ScratchFolder scratch;
  // "int a;\n", by gzip -n
  constexpr std::string_view kPacked(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\xcc\x2b\x51\x48\xb4\xe6\x02\x00\x62\xf6\xae"
      "\x88\x07\x00\x00\x00",
      27);
  write_file_atomically(scratch.path() / "vecadd.cu.gz", kPacked);
  const TreeResult single = tree_of_archive(scratch.path() / "vecadd.cu.gz");
  CHECK(single.problem.empty());
  REQUIRE(single.tree.find("vecadd.cu"));
  CHECK(SourceTree::read(*single.tree.find("vecadd.cu")) == "int a;\n");
  const fs::path file = scratch.path() / "s.tar.gz";
  write_archive(file, {{"vecadd.cu", "code", ""},
                       {"compile_commands.json", "", "build/compile_commands.json"},
                       {"data", "", "/shared/data"}});
  CHECK(tree_of_archive(file).problem.empty());
  std::string stem;
  CHECK(is_archive("vecadd.cu.xz", stem));
  CHECK(stem == "vecadd");
  CHECK_FALSE(is_archive("data.gz", stem));
}

}  // namespace
}  // namespace warpgrade
