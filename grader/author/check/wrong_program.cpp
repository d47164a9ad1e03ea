#include "grader/author/check/wrong_program.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "grader/author/check/stage.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "harness/core/closest.h"
#include "harness/core/toml_table.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostReplacements = 3;
constexpr std::size_t kColumns = 97;  // of a sentence after "// "

/// A text of the base, and what stands there instead.
struct Replacement {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string text;
};

/// What a line of a comment begins with.
std::string_view comment_mark(const Lab& lab) {
  return is_in_python(lab) ? "#" : "//";
}

/// Without the comment that a program begins with.
std::string_view without_header(std::string_view text, std::string_view mark) {
  while (text.starts_with(mark)) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return text;
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// "solution.cu", "stages/04_tiled.cu", ...: what a mutant may be made from.
std::vector<std::string> bases_of(const Lab& lab) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(lab.reference, error)) {
    if (entry.path().extension() == program_ending(lab)) {
      names.push_back(entry.path().lexically_relative(lab.reference).generic_string());
    }
  }
  return names;
}

fs::path base_of(TomlTable& table, const Lab& lab) {
  const std::string base = table.string("base");
  const std::vector<std::string> known = bases_of(lab);
  if (std::find(known.begin(), known.end(), base) == known.end()) {
    const std::string near = closest(base, known);
    table.fail(
        "base",
        fmt::format("reference/{} has no program '{}'; {}", lab.id, base,
                    near.empty() ? fmt::format("name one of its {0} files, such as \"solution{0}\"",
                                               program_ending(lab))
                                 : fmt::format("did you mean '{}'?", near)));
  }
  return lab.reference / base;
}

Replacement read_replacement(TomlTable& row, std::string_view body, const std::string& base) {
  const std::string old = row.string("old");
  std::string text = row.string("new");
  row.finish();
  if (old.empty()) {
    row.fail("old", fmt::format("'old' is empty; copy the text from {} that 'new' replaces", base));
  }
  if (old == text) row.fail("new", "'new' is the same text as 'old'; write what differs");
  if (const std::size_t count = occurrences(body, old); count == 0) {
    row.fail("old", fmt::format("'old' is not in {} below its first comment; copy it from there, "
                                "spaces and line breaks included",
                                base));
  } else if (count > 1) {
    row.fail("old", fmt::format("'old' is {} times in {}; add what stands beside it until it is "
                                "there once",
                                count, base));
  }
  return {.at = body.find(old), .length = old.size(), .text = std::move(text)};
}

/// @param may_be_base  the program may be the base as it is
std::string with_replacements(TomlTable& table, std::string_view body, const std::string& base,
                              bool may_be_base) {
  std::vector<TomlTable> rows = table.tables("replace");
  if (rows.empty() && !may_be_base) {
    table.fail("replace", fmt::format("there is no [[replace]], so this is {} itself; add one with "
                                      "'old' and 'new'",
                                      base));
  }
  if (rows.size() > kMostReplacements) {
    table.fail("replace", fmt::format("{} [[replace]] are more than {}; begin with a program that "
                                      "is nearer, or write this one whole, as a .cu file",
                                      rows.size(), kMostReplacements));
  }
  std::map<std::size_t, Replacement> by_place;
  for (TomlTable& row : rows) {
    Replacement replacement = read_replacement(row, body, base);
    const std::size_t end = replacement.at + replacement.length;
    for (const auto& [at, other] : by_place) {
      if (at < end && replacement.at < at + other.length) {
        row.fail("old", fmt::format("'old' overlaps that of another [[replace]] in {}; make one of "
                                    "the two",
                                    base));
      }
    }
    by_place.emplace(replacement.at, std::move(replacement));
  }
  std::string text;
  std::size_t done = 0;
  for (const auto& [at, replacement] : by_place) {
    text += body.substr(done, at - done);
    text += replacement.text;
    done = at + replacement.length;
  }
  return text += body.substr(done);
}

WrongProgram read_edited(const fs::path& file, const Lab& lab) {
  TomlTable table = TomlTable::parse(file, lab.root);
  const std::string_view mark = comment_mark(lab);
  WrongProgram program;
  program.name = file.stem().string();
  program.file = file;
  program.base = base_of(table, lab);
  const ClaimWords words = {.verdict = table.string("verdict"),
                            .pitfall = table.string("pitfall"),
                            .pitfall_with_clang = table.string_or("pitfall_with_clang", ""),
                            .caught_by = table.string("caught_by")};
  const std::string differs = table.string_or("differs_with_clang", "");
  const std::string mistake = table.string("mistake");
  program.claim = make_claim(words, file.filename().string());
  const std::array<std::pair<const char*, std::string>, 5> claims = {
      {{"verdict", words.verdict},
       {"pitfall", words.pitfall},
       {"pitfall with clang", words.pitfall_with_clang},
       {"caught-by", words.caught_by},
       {"differs with clang", differs}}};
  for (const auto& [key, value] : claims) {
    if (!value.empty()) program.text += fmt::format("{} {}: {}\n", mark, key, value);
  }
  const std::string base = read_file(program.base);
  if (needs_nvcc(base)) program.text += "// compiler: nvcc\n";
  for (const std::string& line : wrap(mistake, kColumns)) {
    program.text += fmt::format("{} {}\n", mark, line);
  }
  program.text += with_replacements(table, without_header(base, mark),
                                    program.base.lexically_relative(lab.reference).generic_string(),
                                    program.claim.verdict == MutantVerdict::fails_concept);
  table.finish();
  return program;
}

WrongProgram read_whole(const fs::path& file) {
  WrongProgram program;
  program.name = file.stem().string();
  program.file = file;
  program.text = read_file(file);
  program.claim = read_claim(program.text, file.filename().string());
  return program;
}

/// By name.
std::map<std::string, fs::path> files_of(const Lab& lab) {
  std::map<std::string, fs::path> files;
  for (const std::string& ending : {program_ending(lab), std::string(".toml")}) {
    for (const fs::path& file : files_ending_in(lab.reference / "wrong", ending)) {
      if (!files.emplace(file.stem().string(), file).second) {
        throw LabError(fmt::format(
            "reference/{}/wrong: {}{} and {}.toml are one program; delete "
            "one of them",
            name_of(lab), file.stem().string(), program_ending(lab), file.stem().string()));
      }
    }
  }
  return files;
}

WrongProgram read_program(const fs::path& file, const Lab& lab) {
  return file.extension() == ".toml" ? read_edited(file, lab) : read_whole(file);
}

}  // namespace

std::vector<WrongProgram> wrong_programs(const Lab& lab) {
  std::vector<WrongProgram> programs;
  for (const auto& [name, file] : files_of(lab)) programs.push_back(read_program(file, lab));
  return programs;
}

WrongProgram wrong_program(const Lab& lab, const std::string& name) {
  const std::map<std::string, fs::path> files = files_of(lab);
  if (const auto it = files.find(name); it != files.end()) return read_program(it->second, lab);
  std::vector<std::string> names;
  for (const auto& [known, file] : files) names.push_back(known);
  const std::string near = closest(name, names);
  throw UsageError(fmt::format("lab {} has no wrong program '{}'{}", name_of(lab), printable(name),
                               names.empty()  ? ""
                               : near.empty() ? "; its wrong programs are " + join_and(names)
                                              : fmt::format("; did you mean '{}'?", near)));
}

Submission submission_of(const WrongProgram& program, const Lab& lab) {
  Submission submission;
  submission.student = "you";
  submission.lab = lab.id;
  submission.files = {{.name = program.name + program_ending(lab), .text = program.text}};
  return submission;
}

}  // namespace warpgrade
