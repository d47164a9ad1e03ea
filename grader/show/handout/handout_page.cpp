#include "grader/show/handout/handout_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>

#include "grader/core/text.h"
#include "grader/show/handout/links.h"
#include "grader/show/report/document.h"
#include "grader/show/report/page.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kHandout = "README.md";

/// "machine" for machine.md, "pitfall-P2" for pitfalls/P2.md.
std::string anchor_of_page(const std::string& name) {
  const fs::path path(name);
  const std::string stem = path.stem().string();
  if (!path.has_parent_path()) {
    return stem;
  }
  return stem == "README" ? path.parent_path().string() : "pitfall-" + stem;
}

std::string title_of(const std::string& markdown) {
  std::string_view line = markdown;
  line = line.substr(0, line.find('\n'));
  return std::string(line.starts_with("# ") ? line.substr(2) : line);
}

class Page {
 public:
  explicit Page(const std::vector<StudentFile>& files) {
    for (const StudentFile& file : files) files_.emplace(file.name, file.content);
    // Only the pitfalls that the handout or a page of docs/ names; the folder has all.
    for (const MarkdownLink& link : links_of(files_.at(std::string(kHandout)))) embed(link.target);
    embed("machine.md");
  }

  /// The body of one page.
  std::string html_of(const std::string& name) {
    const bool handout = name == kHandout;
    const std::string prefix = handout ? "" : anchor_of_page(name) + "-";
    return html_of_document(
        files_.at(name),
        {.link = [&](const std::string& target) { return target_of(name, target); },
         .picture =
             [&](const std::string& target, const std::string& alternative) {
               return picture(name, target, alternative);
             },
         .heading_ids = handout ? "s-" : prefix,
         .heading_level = handout ? 0 : 4});
  }

  [[nodiscard]] const std::set<std::string>& embedded() const { return embedded_; }
  [[nodiscard]] const std::string& content(const std::string& name) const {
    return files_.at(name);
  }

 private:
  void embed(const std::string& target) {
    const std::string path = target.substr(0, target.find('#'));
    if (path.ends_with(".md") && path != kHandout && files_.contains(path)) {
      embedded_.insert(path);
    }
  }

  static std::string file_of(const std::string& page, const std::string& target) {
    const std::string path = target.substr(0, target.find('#'));
    return (fs::path(page).parent_path() / path).lexically_normal().generic_string();
  }

  std::string target_of(const std::string& page, const std::string& target) const {
    if (target.find(':') != std::string::npos) {
      return target;
    }
    const std::size_t hash = target.find('#');
    const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
    const std::string file = hash == 0 ? page : file_of(page, target);
    if (file == kHandout) {
      return anchor.empty() ? "#main" : "#s-" + anchor;
    }
    if (!embedded_.contains(file)) {
      return {};
    }
    return "#" + anchor_of_page(file) + (anchor.empty() ? "" : "-" + anchor);
  }

  /// The picture itself; its style once per page, and its ids anew where it is shown again.
  std::string picture(const std::string& page, const std::string& target,
                      const std::string& alternative) {
    const std::string file = file_of(page, target);
    const auto it = files_.find(file);
    if (it == files_.end()) {
      return fmt::format("<p>{}</p>", alternative);
    }
    std::string svg = it->second;
    const std::size_t style = svg.find("<style>");
    const std::size_t end = svg.find("</style>");
    if (pictures_ > 0 && style != std::string::npos && end != std::string::npos) {
      svg.erase(style, end + std::string_view("</style>").size() - style);
    }
    const std::string name = fs::path(file).stem().string();
    ++pictures_;
    for (const char* part : {"title", "desc"}) {
      svg = replace_all(svg, fmt::format("{}-{}", name, part),
                        fmt::format("picture{}-{}", pictures_, part));
    }
    // Like a table: where it is wider than the page it scrolls, and the keyboard reaches it.
    return fmt::format("<figure class=\"scroll\" tabindex=\"0\" data-picture=\"{}\">{}</figure>\n",
                       name, svg);
  }

  std::map<std::string, std::string> files_;
  std::set<std::string> embedded_;
  int pictures_ = 0;
};

PageData sections_of(const std::string& markdown) {
  PageData sections(PageData::type::list);
  bool code = false;
  for (const std::string_view line : split_lines(markdown)) {
    code ^= line.starts_with("```");
    if (!code && line.starts_with("## ")) {
      const std::string title(line.substr(3));
      sections.push_back(texts({{"title", title}, {"anchor", "s-" + anchor_of(title)}}));
    }
  }
  return sections;
}

/// Pages of docs/ first, then pitfalls by number.
std::vector<std::string> in_order(const std::set<std::string>& names) {
  std::vector<std::string> order(names.begin(), names.end());
  const auto key = [](const std::string& name) {
    return std::tuple(fs::path(name).has_parent_path(), name.size(), name);
  };
  std::sort(order.begin(), order.end(),
            [&](const std::string& a, const std::string& b) { return key(a) < key(b); });
  return order;
}

}  // namespace

std::string handout_page(const Lab& lab, const std::vector<StudentFile>& files) {
  Page page(files);
  PageData values = texts({{"id", lab.id}, {"title", lab.title}});
  values.set("sections", sections_of(page.content(std::string(kHandout))));
  values.set("html", page.html_of(std::string(kHandout)));
  PageData pages(PageData::type::list);
  for (const std::string& name : in_order(page.embedded())) {
    PageData row =
        texts({{"anchor", anchor_of_page(name)}, {"title", title_of(page.content(name))}});
    row.set("html", page.html_of(name));
    pages.push_back(std::move(row));
  }
  values.set("pages", std::move(pages));
  // The last ones are for pictures with sliders.
  std::vector<std::string_view> scripts = {"prism-core.min.js", "prism-clike.min.js",
                                           "prism-c.min.js",    "prism-cpp.min.js",
                                           "cuda.js",           "theme.js",
                                           "read.js",           "draw.js",
                                           "banks.js",          "try.js"};
  if (is_in_python(lab)) {
    scripts.insert(scripts.begin() + 1, "prism-python.min.js");
  }
  return render_page("handout.html", values, nlohmann::json::object(), scripts, {"pictures.css"});
}

}  // namespace warpgrade
