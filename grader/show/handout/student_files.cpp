#include "grader/show/handout/student_files.h"

#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "grader/core/files.h"
#include "grader/show/handout/links.h"
#include "grader/show/report/document.h"
#include "grader/show/report/pitfall_pages.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

const fs::path kDocs = "docs";

/// The project's path that a link leads to: "docs/machine.md". Empty for a link to another site or
/// within the page.
fs::path project_path(const fs::path& page, const std::string& target) {
  const std::string path = target.substr(0, target.find('#'));
  if (path.empty() || path.find(':') != std::string::npos) {
    return {};
  }
  return (page.parent_path() / path).lexically_normal();
}

bool is_in_docs(const fs::path& path) {
  return !path.empty() && *path.begin() == kDocs;
}

/// Where a page or picture of docs/ is in the student's folder: without "docs/".
fs::path place_of(const fs::path& path) {
  return is_in_docs(path) ? path.lexically_relative(kDocs) : fs::path("README.md");
}

class Copier {
 public:
  Copier(const Installation& installation, const Lab& lab)
      : root_(installation.root), handout_(fs::relative(lab.handout, lab.root)) {
    read(handout_, lab.handout);
    // Two steps from the handout; a page that is further away is not about the lab.
    for (const fs::path& page : pages_from({handout_})) read(page, root_ / page);
    const std::vector<fs::path> first = names();
    for (const fs::path& page : pages_from(first)) read(page, root_ / page);
    for (const auto& [id, page] : all_pitfalls(installation.pitfalls())) {
      pages_.emplace(kDocs / "pitfalls" / (id + ".md"), page.markdown);
    }
  }

  std::vector<StudentFile> files() {
    std::vector<StudentFile> files;
    std::map<fs::path, std::string> pictures;
    for (const auto& page : pages_) {
      std::string content = with_links(page.second, [&](const MarkdownLink& link) {
        return link_in_folder(page.first, link, pictures);
      });
      files.push_back({place_of(page.first).string(), std::move(content)});
    }
    for (auto& [path, picture] : pictures) {
      files.push_back({place_of(path).string(), std::move(picture)});
    }
    return files;
  }

 private:
  void read(const fs::path& page, const fs::path& file) {
    pages_.emplace(page, without_html_comments(read_file(file)));
  }

  std::vector<fs::path> names() const {
    std::vector<fs::path> names;
    for (const auto& [path, markdown] : pages_) names.push_back(path);
    return names;
  }

  /// The pages of docs/ that exist and that these link to.
  std::vector<fs::path> pages_from(const std::vector<fs::path>& from) const {
    std::vector<fs::path> found;
    for (const fs::path& page : from) {
      for (const MarkdownLink& link : links_of(pages_.at(page))) {
        const fs::path path = project_path(page, link.target);
        std::error_code error;
        if (is_in_docs(path) && path.extension() == ".md" && fs::exists(root_ / path, error)) {
          found.push_back(path);
        }
      }
    }
    return found;
  }

  std::string link_in_folder(const fs::path& page, const MarkdownLink& link,
                             std::map<fs::path, std::string>& pictures) const {
    const fs::path path = project_path(page, link.target);
    const std::string mark = link.picture ? "!" : "";
    if (path.empty()) {
      return fmt::format("{}[{}]({})", mark, link.text, link.target);
    }
    std::error_code error;
    const bool is_picture = is_in_docs(path) && path.extension() == ".svg";
    if (is_picture && fs::exists(root_ / path, error)) {
      pictures.emplace(path, read_file(root_ / path));
    } else if (!pages_.contains(path)) {
      return link.text;
    }
    const std::size_t hash = link.target.find('#');
    const fs::path place = place_of(path).lexically_relative(place_of(page).parent_path());
    return fmt::format("{}[{}]({}{})", mark, link.text, place.generic_string(),
                       hash == std::string::npos ? "" : link.target.substr(hash));
  }

  fs::path root_;
  fs::path handout_;  // labs/gemm/README.md
  std::map<fs::path, std::string> pages_;  // by their paths in the project
};

}  // namespace

std::vector<StudentFile> handout_files(const Installation& installation, const Lab& lab) {
  return Copier(installation, lab).files();
}

}  // namespace warpgrade
