#include "grader/show/report/page.h"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grader/core/embedded.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "harness/core/plural.h"

namespace warpgrade {
using kainjow::mustache::mustache;
namespace {

/// Maximum bytes of one text of a grade. Messages are far shorter, unless a submission makes them
/// long.
constexpr std::size_t kLongestText = 2000;

std::string hash_of(std::string_view script) {
  Sha256 sha;
  sha.add(script);
  return sha.base64();
}

/// JSON that cannot end the enclosing element.
std::string inline_json(const nlohmann::json& data) {
  return replace_all(data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "<",
                     "\\u003c");
}

}  // namespace

std::string shown(std::string_view raw, std::size_t limit) {
  const bool cut = raw.size() > limit;
  std::string text = printable(raw.substr(0, limit));
  if (cut) {
    text += fmt::format(" \u2026 ({} more)", plural(raw.size() - limit, "byte"));
  }
  return text;
}

PageData texts(std::initializer_list<std::pair<const char*, std::string_view>> entries) {
  PageData object(PageData::type::object);
  for (const auto& [name, text] : entries) {
    object.set(name, shown(text, kLongestText));
  }
  return object;
}

void set_list(PageData& object, const std::string& name, PageData list) {
  object.set("has_" + name, !list.is_empty_list());
  object.set(name, std::move(list));
}

void set_text(PageData& object, const std::string& name, std::string_view text) {
  if (text.empty()) {
    object.set(name, false);
  } else {
    object.set(name, shown(text, kLongestText));
  }
}

std::string render_page(std::string_view page, PageData& values, const nlohmann::json& data,
                        const std::vector<std::string_view>& scripts,
                        const std::vector<std::string_view>& styles) {
  mustache tmpl{std::string(embedded_file(page))};
  std::string text = tmpl.render(values);
  if (!tmpl.is_valid()) {
    throw std::logic_error(fmt::format("{}: {}", page, tmpl.error_message()));
  }
  // Inserted after rendering, because braces in a library are not tags. No text of a grade can
  // contain these markers, since everything between tags is escaped.
  std::string policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src";
  std::string inlined =
      "<script type=\"application/json\" id=\"page-data\">" + inline_json(data) + "</script>\n";
  for (const std::string_view name : scripts) {
    const std::string_view script = embedded_file(name);
    policy += fmt::format(" 'sha256-{}'", hash_of(script));
    inlined += "<script>";
    inlined += script;
    inlined += "</script>\n";
  }
  const auto insert = [&](std::string_view mark, std::string_view what) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) {
      throw std::logic_error(fmt::format("{} lacks {}", page, mark));
    }
    text.replace(at, mark.size(), what);
  };
  insert("<!--policy-->",
         fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", policy));
  std::string style(embedded_file("style.css"));
  for (const std::string_view name : styles) {
    style += embedded_file(name);
  }
  insert("<!--style-->", fmt::format("<style>{}</style>", style));
  insert("<!--scripts-->", inlined);
  return text;
}

}  // namespace warpgrade
