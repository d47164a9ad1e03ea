#include "grader/tests/platform_class.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade::testing {
namespace fs = std::filesystem;
namespace {

struct Person {
  std::string student, first, last, login, id;
};

/// The same names for every platform, with hyphens, particles and letters beyond ASCII.
Person person(int i) {
  static constexpr std::array<const char*, 11> kParts = {
      "ka", "lo", "mi", "ren", "sa", "tu", "vel", "w\xC3\xA9", "j\xC3\xB6", "za", "\xC3\xBCr"};
  const auto word = [](int number, int parts) {
    std::string text;
    for (int k = 0; k < parts; ++k) text += kParts[(number * 7 + k * 4 + number / 5) % 11];
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
    return text;
  };
  return {.student = fmt::format("s{:02}", i),
          .first = word(i + 3, 2) + (i % 5 == 1 ? "-" + word(i, 1) : ""),
          .last = (i % 9 == 4 ? "de la " : "") + word(i, 3) + static_cast<char>('a' + i % 26) +
                  static_cast<char>('a' + i / 26),
          .login = fmt::format("u{}", 2000 + i * 3),
          .id = std::to_string(50'000 + i * 7)};
}

/// As macOS stores names: letters and their marks apart.
std::string decomposed(std::string name) {
  name = replace_all(name, "\xC3\xA9", "e\xCC\x81");
  name = replace_all(name, "\xC3\xB6", "o\xCC\x88");
  return replace_all(name, "\xC3\xBC", "u\xCC\x88");
}

std::string utf16(const std::string& text) {
  std::string wide = "\xFF\xFE";
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = static_cast<unsigned char>(text[i]);
    if (code >= 0xC0) code = (code & 0x1F) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F);
    wide += static_cast<char>(code & 0xFF);
    wide += static_cast<char>(code >> 8);
  }
  return wide;
}

std::string latin1(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned code = static_cast<unsigned char>(text[i]);
    bytes += static_cast<char>(
        code < 0xC0 ? code : (code & 0x3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
  }
  return bytes;
}

struct File {
  std::string path;
  std::string content;
  int day = 10;  // of November, when it was changed
};

constexpr std::int64_t kFirstOfNovember = 1'793'491'200;  // 2026

std::string packed(const std::vector<File>& files, const std::string& ending) {
  archive* a = archive_write_new();
  if (ending == ".zip") {
    archive_write_set_format_zip(a);
  } else if (ending == ".7z") {
    archive_write_set_format_7zip(a);
  } else {
    archive_write_add_filter_gzip(a);
    archive_write_set_format_pax_restricted(a);
  }
  const ScratchFolder scratch;
  const fs::path out = scratch.path() / "archive";
  bool fits = archive_write_open_filename(a, out.c_str()) == ARCHIVE_OK;
  for (const File& file : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, file.path.c_str());
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(file.content.size()));
    archive_entry_set_mtime(entry, kFirstOfNovember + (file.day - 1) * 86'400, 0);
    fits = fits && archive_write_header(a, entry) >= ARCHIVE_WARN;
    archive_write_data(a, file.content.data(), file.content.size());
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
  if (!fits) throw std::runtime_error("cannot write an archive");
  return read_file(out);
}

std::string notebook(const std::vector<std::string>& cells) {
  nlohmann::json book = {
      {"nbformat", 4}, {"nbformat_minor", 5}, {"metadata", nlohmann::json::object()}};
  book["cells"] = nlohmann::json::array();
  for (const std::string& text : cells) {
    book["cells"].push_back({{"cell_type", text[0] == '#' ? "markdown" : "code"},
                             {"metadata", nlohmann::json::object()},
                             {"source", text}});
  }
  return book.dump(1);
}

/// How a student hands in a program: files, in an archive or not.
struct Pack {
  std::vector<File> files;
  std::string ending;  // of the archive; empty: none
};
using Packs = Pack (*)(const std::string& lab, const std::string& text);

constexpr const char* kEmptyMain = "int main() {\n}\n";

/// Ways that leave a program's text and name as they are, so that all share its compilation.
constexpr std::array<Packs, 12> kSameText = {
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{lab + ".cu", text}}, ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{lab + ".cu.txt", text}}, ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{lab + ".cpp", text}}, ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{lab + ".CU", text}}, ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{lab + ".cu", utf16(text)}}, ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {  // macOS's archiver
      return {{{"hw1/" + lab + ".cu", text}, {"__MACOSX/hw1/._" + lab + ".cu", "\x05\x16\x07"}},
              ".zip"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{"inner.zip", packed({{lab + ".cu", text}}, ".zip")}}, ".zip"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{lab + ".cu", text}, {"README.md", "read me"}}, ".7z"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{"src/" + lab + ".cu", text}}, ".tar.gz"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{"p/" + lab + ".cu", text},
               {"p/build/CMakeFiles/3.25.1/CompilerIdCUDA/" + lab + ".cu", kEmptyMain},
               {"p/cmake-build-debug/" + lab + ".cu", kEmptyMain},
               {"p/.git/objects/ab/cd.cu", kEmptyMain}},
              ".zip"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {  // two versions: by its name
      return {{{lab + ".cu", text, 12}, {lab + "_old.cu", "// old\n" + text, 10}}, ".zip"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{"a/b/c/" + lab + ".cu", text}, {"a/report.pdf", "%PDF-1.7"}}, ".zip"};
    }};

/// Ways that change the text or the name.
constexpr std::array<Packs, 8> kOtherText = {
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{"src/" + lab + ".cu", "#include \"util.cuh\"\n" + text},
               {"include/util.cuh", "#pragma once\n"},
               {"Makefile", "all:\n\tnvcc -Iinclude src/" + lab + ".cu\n"}},
              ".zip"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{"src/" + lab + ".cu", "#include \"../include/util.cuh\"\n" + text},
               {"include/util.cuh", "#pragma once\n"}},
              ".tar.gz"};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{"work.ipynb",
                notebook({"# Lab", "!nvidia-smi", "%%writefile " + lab + ".cu\n" + text})}},
              ""};
    },
    [](const std::string&, const std::string& text) -> Pack {
      return {{{"work.ipynb", notebook({"# Lab", "%load_ext nvcc4jupyter", "%%cuda\n" + text})}},
              ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {  // two versions: the newest
      return {{{lab + "_v1.cu", "// unfinished\n" + text, 10}, {lab + "_final.cu", text, 12}},
              ".zip"};
    },
    [](const std::string&, const std::string& text) -> Pack {
      return {{{"main.cu", text}}, ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {
      return {{{lab + " (1).cu", text}}, ""};
    },
    [](const std::string& lab, const std::string& text) -> Pack {  // from Windows
      return {{{lab + ".cu", "\xEF\xBB\xBF" + replace_all(text, "\n", "\r\n")}}, ""};
    }};
constexpr std::size_t kByTime = 4;  // of kOtherText: the way that needs the files' times

constexpr int kReadable = kClassSize - 4;

/// @param platform  counts from 0
Pack pack_of(int i, int platform, bool keeps_times) {
  const ClassStudent student = class_students()[i];
  if (i >= kReadable) {
    switch (i - kReadable) {
      case 0:
        return {{{"vecadd.cu", ""}}, ""};
      case 1:
        return {{{"work.zip", "PK\x03\x04 damaged"}}, ""};
      case 2:
        return {{{"notes.txt", "sorry"}}, ""};
      default:
        return {};
    }
  }
  const ClassProgram& program = student.programs.front();
  std::size_t other = (i / 4 + platform * 3) % kOtherText.size();
  if (other == kByTime && !keeps_times) ++other;
  // Only every third of the two frequent programs: each of these is compiled.
  const Packs packs = i % 4 < 2 && (i / 4 + platform) % 2 == 0
                          ? kOtherText[other]
                          : kSameText[(i + platform * 5) % kSameText.size()];
  Pack pack = packs(program.lab, text_of(program));
  for (std::size_t k = 1; k < student.programs.size(); ++k) {
    pack.files.push_back({student.programs[k].lab + ".cu", text_of(student.programs[k])});
  }
  return pack;
}

void put(const fs::path& path, const File& file) {
  write_file_atomically(path, file.content);
  fs::last_write_time(path, std::chrono::file_clock::from_sys(std::chrono::sys_seconds(
                                std::chrono::seconds(kFirstOfNovember + (file.day - 1) * 86'400))));
}

/// The files that are uploaded: an archive, or those that would be in it.
std::vector<File> uploaded(const Pack& pack) {
  if (pack.ending.empty()) return pack.files;
  return {{"work" + pack.ending, packed(pack.files, pack.ending)}};
}

/// Writes the download of one platform.
class Download {
 public:
  explicit Download(fs::path folder) : folder_(std::move(folder)) {}
  virtual ~Download() = default;
  Download(const Download&) = delete;
  Download& operator=(const Download&) = delete;

  /// Whether files come with the times that they had.
  [[nodiscard]] virtual bool keeps_times() const { return true; }
  virtual void add(const Person& person, const Pack& pack) = 0;
  virtual void end() {}
  /// As the teacher's spreadsheet wrote it.
  [[nodiscard]] virtual std::string roster(const std::string& comma_separated) const {
    return comma_separated;
  }

 protected:
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

class Canvas : public Download {
 public:
  using Download::Download;
  void add(const Person& person, const Pack& pack) override {
    const std::string name = lower(replace_all(person.last + person.first, " ", ""));
    for (const File& file : uploaded(pack)) {
      const std::string late = number_ % 7 == 0 ? "_LATE" : "";
      put(folder() /
              fmt::format("{}{}_{}_{}_{}", name, late, person.id, 90'000 + number_, file.path),
          file);
      ++number_;
    }
  }

 private:
  int number_ = 0;
};

class Moodle : public Download {
 public:
  using Download::Download;
  void add(const Person& person, const Pack& pack) override {
    std::string name = person.first + " " + person.last;
    if (number_ % 3 == 0) name = decomposed(name);  // unpacked on macOS
    for (const File& file : uploaded(pack)) {
      put(folder() / fmt::format("{}_{}_assignsubmission_file_", name, 700 + number_) / file.path,
          file);
    }
    ++number_;
  }
  [[nodiscard]] std::string roster(const std::string& text) const override {
    return utf16(replace_all(text, ",", ";"));
  }

 private:
  int number_ = 0;
};

/// Gradescope unpacks archives when they are uploaded.
class Gradescope : public Download {
 public:
  using Download::Download;
  void add(const Person& person, const Pack& pack) override {
    const std::string name = fmt::format("submission_{}", 300'000 + number_++);
    for (const File& file : pack.files) put(folder() / name / file.path, file);
    if (pack.files.empty()) return;
    metadata_ += fmt::format(
        "{}:\n  :submitters:\n  - :name: {} {}\n    :sid: '{}'\n    :email: {}@x.org\n"
        "  :created_at: 2026-11-12 21:18:14.402446000 Z\n",
        name, person.first, person.last, person.id, person.login);
  }
  void end() override { put(folder() / "submission_metadata.yml", {"", metadata_}); }
  [[nodiscard]] std::string roster(const std::string& text) const override {
    return replace_all(text, ",", "\t");
  }

 private:
  int number_ = 0;
  std::string metadata_ = "---\n";
};

/// Repositories, cloned: files have the time of the clone.
class GithubClassroom : public Download {
 public:
  using Download::Download;
  [[nodiscard]] bool keeps_times() const override { return false; }
  void add(const Person& person, const Pack& pack) override {
    if (pack.files.empty()) return;
    const fs::path repository = folder() / ("lab1-" + person.login);
    put(repository / ".git/config", {"", "[core]\n"});
    put(repository / ".github/classroom/autograding.json", {"", "{}\n"});
    put(repository / "README.md", {"", "# lab1\n"});
    if (pack.files.front().path != "notes.txt") {
      put(repository / "build/CMakeFiles/feature_tests.cu", {"", kEmptyMain});
    }
    for (const File& file : pack.files) put(repository / file.path, {"", file.content});
  }
  [[nodiscard]] std::string roster(const std::string& text) const override {
    return latin1(replace_all(text, ",", ";"));
  }
};

/// The files of all in one folder.
class Studip : public Download {
 public:
  using Download::Download;
  void add(const Person& person, const Pack& pack) override {
    for (const File& file : uploaded(pack)) {
      const int copy = copies_[file.path]++;
      const fs::path own(file.path);
      const std::string name =
          copy == 0 ? file.path
                    : fmt::format("{}[{}]{}", own.stem().string(), copy, own.extension().string());
      put(folder() / "Abgabe 1" / name, file);
      list_ += fmt::format("{0};{1};\"{2}\";\"{3}\";0;\"12.11.2026 21:18\";\"Abgabe 1/{0}\"\r\n",
                           name, file.content.size(), person.first, person.last);
    }
  }
  void end() override { put(folder() / "archive_filelist.csv", {"", list_}); }
  [[nodiscard]] std::string roster(const std::string& text) const override {
    return "\xEF\xBB\xBF" + replace_all(replace_all(text, ",", ";"), "\n", "\r\n");
  }

 private:
  std::map<std::string, int> copies_;
  std::string list_ =
      "\xEF\xBB\xBFName;Gr\xC3\xB6\xC3\x9F"
      "e;Vorname;Nachname;Downloads;Datum;Pfad\r\n";
};

std::unique_ptr<Download> download_of(const std::string& platform, const fs::path& folder) {
  if (platform == "canvas") return std::make_unique<Canvas>(folder);
  if (platform == "moodle") return std::make_unique<Moodle>(folder);
  if (platform == "gradescope") return std::make_unique<Gradescope>(folder);
  if (platform == "classroom") return std::make_unique<GithubClassroom>(folder);
  return std::make_unique<Studip>(folder);
}

}  // namespace

std::vector<std::string> class_platforms() {
  return {"canvas", "moodle", "gradescope", "classroom", "studip"};
}

std::vector<ClassProgram> class_programs() {
  return {{"vecadd", "solution.cu"},      {"vecadd", "wrong/integer_ceil"},
          {"vecadd", "wrong/no_guard"},   {"vecadd", "wrong/does_not_compile"},
          {"differences", "solution.cu"}, {"differences", "wrong/block_begins_with_nothing"}};
}

std::vector<ClassStudent> class_students() {
  const std::vector<ClassProgram> programs = class_programs();
  std::vector<ClassStudent> students;
  for (int i = 0; i < kClassSize; ++i) {
    students.push_back({.student = person(i).student, .programs = {}, .unreadable = {}});
    if (i < kReadable) {
      students.back().programs.push_back(programs[i % 4]);
      if (i % 6 == 0) students.back().programs.push_back(programs[4 + i / 6 % 2]);
    }
  }
  const std::array<const char*, 4> kUnreadable = {"an empty file", "a damaged archive",
                                                  "no program", "nothing"};
  for (std::size_t k = 0; k < kUnreadable.size(); ++k) {
    students[kReadable + k].unreadable = kUnreadable[k];
  }
  return students;
}

void write_platform_class(const fs::path& folder, const std::string& platform) {
  const std::vector<std::string> all = class_platforms();
  const int number = static_cast<int>(std::find(all.begin(), all.end(), platform) - all.begin());
  const std::unique_ptr<Download> download = download_of(platform, folder);
  std::string roster = "student,name,canvas_id,sis_id,sis_login,email\n";
  for (int i = 0; i < kClassSize; ++i) {
    const Person p = person(i);
    roster += fmt::format("{},{} {},{},{},{},{}@x.org\n", p.student, p.first, p.last, p.id, p.id,
                          p.login, p.login);
    download->add(p, pack_of(i, number, download->keeps_times()));
  }
  download->end();
  write_file_atomically(folder / "roster.csv", download->roster(roster));
  write_file_atomically(folder / "course.toml",
                        "schema = 1\nroster = \"roster.csv\"\n[labs.vecadd]\n[labs.differences]\n"
                        "due = 2099-01-01T08:00:00Z\n");
}

std::string text_of(const ClassProgram& program) {
  return reference_program(program.lab, program.name);
}

}  // namespace warpgrade::testing
