#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "emulator/isa/row.h"

// Opcodes are known by name in the instruction table and nowhere else: who wants to know what an
// instruction does asks describe() (isa/description.h).

namespace warpsim {
namespace {

namespace fs = std::filesystem;

const fs::path kEmulator = fs::path(WARPSIM_TEST_DATA).parent_path();

/// Words that are an opcode's name by chance: of a kind of finding, a message, a JSON key.
struct Word {
  const char* file;
  const char* text;
};
constexpr auto kOtherWords = std::to_array<Word>({{"findings/finding_kinds.cpp", "trap"},
                                                  {"checkers/faults/kernel.cpp", "trap"},
                                                  {"report/json.cpp", "not"}});

std::set<std::string> opcode_names() {
  std::set<std::string> names;
  for (const Family& family : instruction_table(SimdLevel::baseline)) {
    for (const Row& row : family) names.emplace(row.name);
  }
  return names;
}

/// What breaks the rule in a text, as "line: why".
std::vector<std::string> violations(const std::string& text, const std::set<std::string>& names,
                                    const std::string& file) {
  static const std::regex literal(R"re("((?:[^"\\\n]|\\.)*)")re");
  static const std::regex comparison(
      R"re((opcode|modifier)\w*\)?\s*(==|!=|\.starts_with|\.find)|\bhas\(\s*")re");
  std::vector<std::string> found;
  std::size_t number = 0;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    const std::string place = file + ":" + std::to_string(number) + ": ";
    if (std::regex_search(line, comparison)) {
      found.push_back(place + "compares an opcode or a modifier");
    }
    for (std::sregex_iterator it(line.begin(), line.end(), literal), last; it != last; ++it) {
      const std::string word = (*it)[1];
      const bool other = std::ranges::any_of(
          kOtherWords, [&](const Word& known) { return file == known.file && word == known.text; });
      if (names.contains(word) && !other) found.push_back(place + "names " + word);
    }
  }
  return found;
}

bool is_source(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.ends_with("_test.cpp")) return false;
  return path.extension() == ".cpp" || path.extension() == ".h";
}

/// Edits of a program replace words of its text that are mistaken for each other: an opcode's word
/// is what they are about, and not what the instruction does. Edits of the host's calls name a part
/// "call".
bool is_about_words(const std::string& stem) {
  return stem == "edit_tables" || stem == "possible_edits" || stem == "replace_part" ||
         stem == "possible_call_edits" || stem == "call_edits";
}

TEST_CASE("no opcode is named outside the instruction table", "[isa][rules]") {
  const std::set<std::string> names = opcode_names();
  std::size_t files = 0;
  for (const char* folder :
       {"machine", "checkers", "counters", "cudart", "device", "remote", "report"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kEmulator / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      if (entry.path().parent_path().filename() == "tests") continue;
      const std::string stem = entry.path().stem().string();
      if (stem == "line_table") continue;  // DWARF has opcodes, too
      if (is_about_words(stem)) continue;
      ++files;
      std::ifstream in(entry.path());
      const std::string text(std::istreambuf_iterator<char>(in), {});
      const std::string file = fs::relative(entry.path(), kEmulator).string();
      for (const std::string& violation : violations(text, names, file)) FAIL_CHECK(violation);
    }
  }
  CHECK(files > 200);
}

TEST_CASE("the rule about opcode names finds each way to break it", "[isa][rules]") {
  const std::set<std::string> names = opcode_names();
  const auto breaks = [&](const std::string& text) {
    return !violations(text, names, "machine/example.cpp").empty();
  };
  CHECK(breaks("if (instruction.opcode == other) {"));
  CHECK(breaks("if (source->has(\"volatile\")) {"));
  CHECK(breaks("if (modifier == \"cta\") {"));
  CHECK(breaks("return is_one_of(name, {\"ld\", \"st\"});"));
  CHECK(breaks("f.got = \"trap\";"));
  CHECK_FALSE(breaks("std::string text(instruction.opcode);"));
  CHECK_FALSE(breaks("const auto rows = rows_named(instruction.opcode);"));
  CHECK_FALSE(breaks("f.got = \"it loads and stores\";"));
  CHECK(violations("f.got = \"trap\";", names, "checkers/faults/kernel.cpp").empty());
}

}  // namespace
}  // namespace warpsim
