#include <string>

#include "grader/core/instant.h"
#include "grader/core/text.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/source_view.h"

namespace warpgrade {
namespace {

std::string heading(const Decision& decision) {
  if (decision.kind == DecisionKind::inquiry) return "Your question";
  std::string text = decision_about(decision);
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

}  // namespace

PageData staff_rows(const Grade& grade, const std::vector<const Decision*>& said) {
  PageData rows(PageData::type::list);
  for (const Decision* decision : said) {
    PageData row = texts(
        {{"what", heading(*decision)}, {"by", decision->by}, {"when", instant_text(decision->at)}});
    set_text(row, "text", decision->text.empty() ? decision->reason : decision->text);
    PageData lines(PageData::type::list);
    if (decision->kind == DecisionKind::comment) {
      lines = excerpt(
          grade,
          {.file = decision->file, .line = static_cast<std::uint32_t>(decision->line), .who = ""});
    }
    set_list(row, "lines", std::move(lines));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warpgrade
