#include "grader/show/report/markdown.h"

#include "grader/show/report/document.h"

namespace warpgrade {
namespace {

constexpr std::string_view kMachine = "machine";

}  // namespace

std::string embedded_target(const std::string& target, const std::set<std::string>& carried) {
  const std::size_t hash = target.find('#');
  std::string page = target.substr(0, hash);
  page = page.substr(page.rfind('/') + 1);  // of npos: all
  if (!page.ends_with(".md")) {
    return {};
  }
  page.resize(page.size() - 3);
  if (!carried.contains(page)) {
    return {};
  }
  if (page != kMachine) {
    return "#pitfall-" + page;
  }
  return hash == std::string::npos ? "#machine" : "#machine-" + target.substr(hash + 1);
}

std::string html_of_markdown(std::string_view markdown, const std::set<std::string>& carried) {
  return html_of_document(
      markdown,
      {.link = [&](const std::string& target) { return embedded_target(target, carried); },
       .picture = {},
       .heading_ids = {},
       .heading_level = 4});
}

}  // namespace warpgrade
