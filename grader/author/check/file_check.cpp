#include "grader/author/check/file_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "grader/author/check/stage.h"
#include "grader/core/files.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Line breaks do not matter.
std::string with_single_spaces(const std::string& text) {
  std::string words;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space) words += c;
    if (space && !words.empty() && words.back() != ' ') words += ' ';
  }
  return words;
}

}  // namespace

bool has_rung(const Lab& lab, const std::string& stage) {
  return std::any_of(lab.rungs.begin(), lab.rungs.end(),
                     [&](const Rung& rung) { return rung.stage == stage; });
}

FileCheck::FileCheck(const Lab& lab, fs::path pitfalls, std::vector<std::string>& problems)
    : lab_(lab), pitfalls_(std::move(pitfalls)), problems_(problems) {}

void FileCheck::check() {
  if (!lab_.has_code()) {
    require_file(lab_.handout);
    check_links();
    return;
  }
  for (const std::string& category : missing_categories(lab_)) {
    problems_.push_back(fmt::format("no case covers the edge category '{}'", category));
  }
  check_waivers();
  for (const fs::path& file : {lab_.stub, lab_.handout, solution_of(lab_)}) {
    require_file(file);
  }
  if (!lab_.program) {
    // What a program's datasets do not give is missed when its cases run.
    if (!lab_.header.empty()) require_file(lab_.header);
    require_file(common_reference(lab_) / "golden.cpp");
  }
  for (const ConceptCheck& check : lab_.concepts) {
    require_page(check.pitfall, "concept " + check.id);
  }
  for (const Clue& clue : lab_.clues) {
    require_page(clue.pitfall, "a clue");
  }
  const bool kernels_have_points =
      std::any_of(lab_.concepts.begin(), lab_.concepts.end(),
                  [](const ConceptCheck& c) { return c.at_least > 0 && c.points > 0; });
  if (!lab_.host_work.empty() && !kernels_have_points) {
    problems_.push_back(
        "'host_work' is given, and no [[concept]] has 'at_least': nothing says how much work the "
        "kernels must do; add one with points");
  }
  check_ladder();
  check_links();
}

void FileCheck::check_waivers() {
  if (!fs::exists(lab_.handout)) return;
  const std::string text = with_single_spaces(read_file(lab_.handout));
  for (const Waiver& waiver : lab_.waivers) {
    if (text.find(with_single_spaces(waiver.reason)) == std::string::npos) {
      problems_.push_back(
          fmt::format("README.md does not say why there is no case '{}'; write there: {}",
                      waiver.category, waiver.reason));
    }
  }
  for (const std::string& work : lab_.host_work) {
    if (text.find(with_single_spaces(work)) == std::string::npos) {
      problems_.push_back(
          fmt::format("README.md does not say what the host may do; write there: {}", work));
    }
  }
  if (!lab_.stub_reason.empty() &&
      text.find(with_single_spaces(lab_.stub_reason)) == std::string::npos) {
    problems_.push_back(fmt::format(
        "README.md does not say why {} does not build as it is given out; write there: {}",
        lab_.stub.filename().string(), lab_.stub_reason));
  }
}

void FileCheck::require_file(const fs::path& file) {
  if (!fs::exists(file)) {
    problems_.push_back(fmt::format("{} is missing", file.lexically_relative(lab_.root).string()));
  }
}

void FileCheck::check_ladder() {
  for (const fs::path& file : files_ending_in(lab_.reference / "stages", program_ending(lab_))) {
    if (!has_rung(lab_, file.stem().string())) {
      problems_.push_back(
          fmt::format("stage {} has no [[rung]] in lab.toml", file.stem().string()));
    }
  }
  for (std::size_t i = 0; i < lab_.rungs.size(); ++i) {
    const Rung& rung = lab_.rungs[i];
    if (const fs::path stage = stage_of(lab_, rung.stage); !fs::exists(stage)) {
      problems_.push_back(fmt::format("rung {} has no stage: {} is missing", rung.stage,
                                      stage.lexically_relative(lab_.root).generic_string()));
    }
    if (i + 1 < lab_.rungs.size() && rung.next.empty()) {
      problems_.push_back(
          fmt::format("rung {} does not describe the next one; give it a `next`", rung.stage));
    }
  }
}

void FileCheck::require_page(const std::string& pitfall, const std::string& who) {
  if (!pitfall.empty() && !fs::exists(pitfalls_ / (pitfall + ".md"))) {
    problems_.push_back(fmt::format("docs/pitfalls/{}.md is missing; {} names it", pitfall, who));
  }
}

void FileCheck::check_links() {
  if (!fs::exists(lab_.handout)) {
    return;
  }
  const std::string text = read_file(lab_.handout);
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    const std::size_t end = text.find_first_of(")#", at);
    const std::string target = text.substr(at + 2, end - at - 2);
    if (end != std::string::npos && !target.empty() && target.find(':') == std::string::npos &&
        !fs::exists(lab_.handout.parent_path() / target)) {
      problems_.push_back(fmt::format("README.md links to {}, which does not exist", target));
    }
  }
}

}  // namespace warpgrade
