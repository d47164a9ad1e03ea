#include "grader/tests/sample.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <sstream>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade::testing {
namespace fs = std::filesystem;
namespace {

std::map<std::string, std::string> head_of(const std::string& text) {
  constexpr std::size_t kKey = 9;  // columns before the values start
  std::map<std::string, std::string> head;
  std::string key;
  for (const std::string_view line : split_lines(text)) {
    const std::size_t mark = line.starts_with("// ") ? 3 : line.starts_with("# ") ? 2 : 0;
    if (mark == 0 || line.size() < mark + kKey) break;
    const std::string_view word = line.substr(mark, kKey);
    if (word[0] != ' ') key = word.substr(0, word.find(':'));
    std::string& value = head[key];
    value += (value.empty() ? "" : " ") + std::string(line.substr(mark + kKey));
  }
  return head;
}

/// The headers that a text includes, and those that they include, from its folder or one above.
void hand_in_headers(const std::string& text, const fs::path& beside, const fs::path& folder) {
  for (fs::path from = beside; from.filename() != "grader"; from = from.parent_path()) {
    for (const auto& entry : fs::directory_iterator(from)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".cuh" || fs::exists(folder / name)) continue;
      if (!contains(text, "#include \"" + name + "\"")) continue;
      const std::string header = read_file(entry.path());
      write_file_atomically(folder / name, header);
      hand_in_headers(header, beside, folder);
    }
  }
}

}  // namespace

const std::string& Sample::says(const std::string& key) const {
  const auto found = head.find(key);
  INFO(file.string() << " does not say \"" << key << "\"");
  REQUIRE(found != head.end());
  return found->second;
}

std::vector<std::string> Sample::words(const std::string& key) const {
  std::istringstream stream(says(key));
  std::vector<std::string> all;
  for (std::string word; stream >> word;) {
    if (word != "none") all.push_back(word);
  }
  return all;
}

std::string Sample::lab() const {
  return head.contains("lab") ? head.at("lab") : "vecadd";
}

void Sample::hand_in(const fs::path& folder) const {
  write_file_atomically(folder / (lab() + ending), text);
  hand_in_headers(text, file.parent_path(), folder);
}

std::string compiler() {
  const char* chosen = std::getenv("WARPGRADE_TEST_COMPILER");
  return chosen == nullptr ? "auto" : chosen;
}

std::vector<Sample> samples_in(const std::string& folder, std::size_t part, std::size_t parts) {
  std::vector<Sample> all;
  for (const auto& entry :
       fs::directory_iterator(source_folder() / "grader" / "tests" / "attacks" / folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cu" && ending != ".py") continue;
    Sample sample{.name = entry.path().stem().string(),
                  .file = entry.path(),
                  .text = read_file(entry.path()),
                  .head = {},
                  .ending = ending};
    sample.head = head_of(sample.text);
    if (compiler() == "clang" && sample.head.contains("needs")) continue;
    all.push_back(std::move(sample));
  }
  std::sort(all.begin(), all.end(),
            [](const Sample& a, const Sample& b) { return a.name < b.name; });
  std::vector<Sample> some;
  for (std::size_t i = part; i < all.size(); i += parts) some.push_back(all[i]);
  return some;
}

GradedSamples::GradedSamples(const std::vector<Sample>& samples, const std::string& variables) {
  need_sandbox();
  if (compiler() == "clang" && find_in_path("clang++").empty()) SKIP("clang is not installed");
  for (const Sample& sample : samples) {
    sample.hand_in(folder_.path() / "in" / sample.name / sample.lab());
  }
  write_file_atomically(folder_.path() / "secret", "of the course");
  const ProcessResult result = shell(
      variables +
          "$W grade in --out out --device emulator --jobs 2 --secret-file secret --compiler " +
          compiler(),
      folder_.path(), std::chrono::minutes(9));
  INFO(result.out << result.err);
  REQUIRE(result.ok());  // 70 would mean that a submission caused an internal error
}

nlohmann::json GradedSamples::grade_of(const Sample& sample) const {
  return nlohmann::json::parse(
      read_file(folder_.path() / "out" / sample.name / sample.lab() / "grade.json"));
}

std::set<std::string> flags_of(const nlohmann::json& grade) {
  std::set<std::string> kinds;
  for (const auto& flag : grade.at("integrity")) kinds.insert(flag.at("kind"));
  return kinds;
}

double passed_part(const nlohmann::json& grade) {
  double passed = 0;
  for (const auto& c : grade.at("cases")) passed += c.at("status") == "passed" ? 1 : 0;
  return passed / static_cast<double>(grade.at("cases").size());
}

std::string row_of(const Sample& sample, const std::vector<std::string>& keys) {
  std::string row = "|";
  for (const std::string& key : keys) {
    row += " " + (key == "name" ? "`" + sample.name + "`" : sample.says(key)) + " |";
  }
  const std::string& flag = sample.says("flag");
  return row + " " + (flag == "none" ? "" : flag) + " |\n";
}

}  // namespace warpgrade::testing
