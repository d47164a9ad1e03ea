#include "grader/serve/lab_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/serve/playground.h"
#include "grader/submit/questions/score_questions.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestFile = 512 * 1024;

}  // namespace

std::vector<LabFile> files_of(const Lab& lab) {
  if (is_playground(lab)) return playground_files();
  std::vector<LabFile> files;
  if (lab.has_code()) {
    for (const std::string& name : lab.submit) {
      const auto file = lab.folder / name;
      files.push_back({.name = name, .original = exists(file) ? read_file(file) : std::string()});
    }
  }
  if (!lab.questions.empty()) {
    files.push_back({.name = kAnswersFile, .original = answers_template(lab, {})});
  }
  const auto show = [&](const std::filesystem::path& header) {
    files.push_back(
        {.name = header.filename().string(), .original = read_file(header), .read_only = true});
  };
  if (lab.has_code() && exists(lab.header)) show(lab.header);
  for (const std::filesystem::path& header : lab.given) show(header);
  return files;
}

FileSet read_files(const Lab& lab, const std::string& body, std::string& problem) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object()) {
    problem = "The request has to be JSON: {\"files\": {\"<name>\": \"<text>\"}}.";
    return {};
  }
  std::vector<std::string> names;
  for (const LabFile& file : files_of(lab)) {
    if (!file.read_only) names.push_back(file.name);
  }
  FileSet files;
  for (const auto& [name, text] : json["files"].items()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      problem = fmt::format("Lab {} has no file '{}' to submit; it has {}.", lab.id, one_line(name),
                            join_and(names));
      return {};
    }
    if (!text.is_string()) {
      problem = fmt::format("The content of '{}' has to be a text.", name);
      return {};
    }
    files[name] = text.get<std::string>();
    if (files[name].size() > kLongestFile) {
      problem = fmt::format("'{}' has more than {} KiB.", name, kLongestFile / 1024);
      return {};
    }
  }
  if (files.empty()) problem = fmt::format("There is no file: submit {}.", join_and(names));
  return files;
}

}  // namespace warpgrade
