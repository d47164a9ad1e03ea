#include "grader/judge/experiment/structural_search.h"

#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpgrade {
std::optional<StructuralSearch::Header> StructuralSearch::header_of(const SourceUnit& loop) const {
  if (!tokens_[loop.first].is("for") || !tokens_[loop.first + 1].is("(")) return std::nullopt;
  Header header = {.open = loop.first + 1, .close = closing(tokens_, loop.first + 1)};
  if (header.close >= function_.last) return std::nullopt;
  int depth = 0;
  for (std::size_t k = header.open + 1; k < header.close; ++k) {
    if (tokens_[k].is("(") || tokens_[k].is("[")) ++depth;
    if (tokens_[k].is(")") || tokens_[k].is("]")) --depth;
    if (depth > 0 || !tokens_[k].is(";")) continue;
    (header.first == 0 ? header.first : header.second) = k;
  }
  if (header.second == 0) return std::nullopt;
  return header;
}

void StructuralSearch::loops(const SourceUnit& loop) {
  const bool is_while = tokens_[loop.first].is("while");
  const std::optional<Header> header = header_of(loop);
  if (header) {
    limits(*header);
    direction(*header);
  }
  if (header || is_while) {
    moved(loop, header ? header->close : closing(tokens_, loop.first + 1));
  }
}

void StructuralSearch::limits(const Header& header) {
  std::size_t start = 0;
  for (std::size_t k = header.open + 1; k < header.first; ++k) {
    if (tokens_[k].is("=")) start = k + 1;
  }
  if (start > 0 && start < header.first) {
    const std::size_t last = header.first - 1;
    const std::string text(in_.text(start, last));
    for (const std::string& by :
         {std::string("0"), std::string("threadIdx.x"), text + " + 1", text + " - 1"}) {
      replace(SourceEditList::Rank::kUsual, start, last, by, "start of the loop");
    }
    for (const char* const by :
         {"1", "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.y", "blockIdx.x"}) {
      replace(SourceEditList::Rank::kOften, start, last, by, "start of the loop");
    }
    for (const std::string& name : whole_names(header.open, false)) {
      replace(SourceEditList::Rank::kSometimes, start, last, name, "start of the loop");
    }
  }
  for (std::size_t k = header.first + 1; k + 1 < header.second; ++k) {
    const bool compares = tokens_[k].is("<") || tokens_[k].is("<=") || tokens_[k].is(">") ||
                          tokens_[k].is(">=") || tokens_[k].is("!=");
    if (!compares) continue;
    limit(k + 1, end_of_limit(k + 1, header.second), header);
    break;
  }
  for (std::size_t k = header.second + 1; k < header.close; ++k) step(k, header);
}

void StructuralSearch::limit(std::size_t first, std::size_t last, const Header& header) {
  const std::string text(in_.text(first, last));
  const auto become = [&](SourceEditList::Rank rank, const std::string& by) {
    replace(rank, first, last, by, "limit of the loop");
  };
  // One of its operands alone.
  for (const SourceUse& use : in_.uses()) {
    if (use.type == "int" && first <= use.first && use.last <= last && last > first)
      become(SourceEditList::Rank::kUsual, use.name);
  }
  become(SourceEditList::Rank::kUsual, text + " + 1");
  become(SourceEditList::Rank::kUsual, text + " - 1");
  for (const std::string& name : whole_names(header.open, true))
    become(SourceEditList::Rank::kUsual, name);
  become(SourceEditList::Rank::kOften, "(" + text + ") * 2");
  become(SourceEditList::Rank::kOften, "(" + text + ") / 2");
  for (const std::string& name : whole_names(header.open, false)) {
    become(SourceEditList::Rank::kSometimes, name);
  }
}

void StructuralSearch::step(std::size_t at, const Header& header) {
  const bool adds = tokens_[at].is("+=") || tokens_[at].is("-=");
  const auto become = [&](SourceEditList::Rank rank, const std::string& by) {
    replace(rank, at + 1, header.close - 1, by, "step of the loop");
  };
  if (adds && at + 1 < header.close) {
    const std::string text(in_.text(at + 1, header.close - 1));
    for (const std::string& by :
         {std::string("1"), std::string("blockDim.x"), std::string("gridDim.x * blockDim.x")}) {
      become(SourceEditList::Rank::kUsual, by);
    }
    become(SourceEditList::Rank::kOften, "(" + text + ") * 2");
    for (const char* const by : {"gridDim.x", "blockDim.y", "32"})
      become(SourceEditList::Rank::kOften, by);
    for (const std::string& name : whole_names(header.open, true)) {
      become(SourceEditList::Rank::kSometimes, name);
    }
  }
  if (!tokens_[at].is("++")) return;
  const SourceUse* const own = use_at(at + 1) != nullptr ? use_at(at + 1) : use_until(at - 1);
  if (own == nullptr || own->type != "int") return;
  for (const char* const by : {"blockDim.x", "gridDim.x * blockDim.x", "blockDim.y", "32"}) {
    replace(SourceEditList::Rank::kOften, header.second + 1, header.close - 1,
            fmt::format("{} += {}", own->name, by), "step of the loop");
  }
}

std::vector<std::string> StructuralSearch::whole_names(std::size_t at, bool parameters) const {
  std::vector<std::string> names;
  for (const SourceVariable& variable : function_.variables) {
    const bool is_parameter = variable.begin == function_.open;
    if (variable.type == "int" && is_parameter == parameters &&
        in_.visible(variable.name, at) == &variable) {
      names.emplace_back(variable.name);
    }
  }
  return names;
}

void StructuralSearch::direction(const Header& header) {
  // int d = A ; d COMPARED B ; d *= 2
  std::size_t start = 0;
  for (std::size_t k = header.open + 1; k < header.first; ++k) {
    if (tokens_[k].is("=")) start = k + 1;
  }
  const std::size_t name = header.first + 1;
  const SourceUse* const own = use_at(name);
  if (start == 0 || own == nullptr || name + 2 >= header.second) return;
  const std::string from(in_.text(start, header.first - 1));
  const std::string to(in_.text(name + 2, header.second - 1));
  const std::string step(in_.text(header.second + 1, header.close - 1));
  const auto has = [&](const char* one, const char* other) {
    return step.find(one) != step.npos || step.find(other) != step.npos;
  };
  std::array<std::string, 3> others;
  if (has("/=", ">>=") && (tokens_[name + 1].is(">") || tokens_[name + 1].is(">="))) {
    others = {"1", fmt::format("{} <= {}", own->name, from), fmt::format("{} *= 2", own->name)};
  } else if (has("*=", "<<=") && (tokens_[name + 1].is("<") || tokens_[name + 1].is("<="))) {
    const std::string half = tokens_[name + 1].is("<") ? fmt::format("({}) / 2", to) : to;
    others = {half, fmt::format("{} > 0", own->name), fmt::format("{} /= 2", own->name)};
  } else if (has("++", "+= 1") && tokens_[name + 1].is("<")) {
    others = {fmt::format("({}) - 1", to), fmt::format("(int){} >= (int)({})", own->name, from),
              fmt::format("--{}", own->name)};
  } else {
    return;
  }
  add(SourceEditList::Rank::kUsual, header.open,
      {replaced(start, header.first - 1, others[0]),
       replaced(header.first + 1, header.second - 1, others[1]),
       replaced(header.second + 1, header.close - 1, others[2])},
      "the loop in the opposite order",
      fmt::format("the loop over `{}` in the opposite order", own->name));
}

void StructuralSearch::moved(const SourceUnit& loop, std::size_t close) {
  const std::size_t open = close + 1;
  if (open >= function_.last || !tokens_[open].is("{")) return;
  const std::size_t end = closing(tokens_, open);
  if (end >= function_.last) return;
  std::vector<const SourceUnit*> body;
  const SourceUnit* before = nullptr;
  const SourceUnit* after = nullptr;
  for (const SourceUnit& unit : units_) {
    if (unit.kind != SourceUnit::Kind::statement) continue;
    if (open < unit.first && unit.last < end && is_directly_in(unit, open)) body.push_back(&unit);
    if (unit.last + 1 == loop.first) before = &unit;
    if (unit.first == loop.last + 1) after = &unit;
  }
  const auto may_move = [&](const SourceUnit& unit) {
    const SourceToken& first = tokens_[unit.first];
    return !first.is("return") && !first.is("break") && !first.is("continue");
  };
  const auto move = [&](const SourceUnit& unit, std::vector<Replacement> changes, const char* kind,
                        const char* where) {
    add(SourceEditList::Rank::kUsual, unit.first, std::move(changes), kind,
        fmt::format("{} {}", quoted_part(in_.text(unit.first, unit.last), "the statement"), where));
  };
  const auto leaves_loop = [&](const SourceUnit& unit) {
    return may_move(unit) && are_visible(unit.first, unit.last, loop.first);
  };
  if (!body.empty() && body.back()->last + 1 == end && leaves_loop(*body.back())) {
    const SourceUnit& unit = *body.back();
    move(unit,
         {replaced(loop.first, loop.last,
                   fmt::format("{} }} {}", joined(loop.first, unit.first - 1),
                               joined(unit.first, unit.last)))},
         "one statement after the loop, not in it,", "after the loop");
  }
  if (!body.empty() && body.front()->first == open + 1 && leaves_loop(*body.front())) {
    const SourceUnit& unit = *body.front();
    move(unit,
         {replaced(loop.first, loop.last,
                   fmt::format("{} {} {}", joined(unit.first, unit.last), joined(loop.first, open),
                               joined(unit.last + 1, loop.last)))},
         "one statement before the loop, not in it,", "before the loop");
  }
  if (before != nullptr && may_move(*before)) {
    move(*before,
         {replaced(before->first, before->last, ";"),
          replaced(loop.first, loop.last,
                   fmt::format("{} {} {}", joined(loop.first, open),
                               joined(before->first, before->last), joined(open + 1, loop.last)))},
         "one statement in the loop, not before it,", "at the beginning of the loop's body");
  }
  if (after != nullptr && may_move(*after)) {
    move(*after,
         {replaced(loop.first, loop.last,
                   fmt::format("{} {} }}", joined(loop.first, end - 1),
                               joined(after->first, after->last))),
          replaced(after->first, after->last, ";")},
         "one statement in the loop, not after it,", "at the end of the loop's body");
  }
}

std::string StructuralSearch::joined(std::size_t first, std::size_t last) const {
  std::string text;
  for (std::size_t k = first; k <= last; ++k) {
    text += (k == first ? "" : " ") + std::string(tokens_[k].text);
  }
  return text;
}

bool StructuralSearch::is_directly_in(const SourceUnit& unit, std::size_t open) const {
  int depth = 0;
  for (std::size_t k = open + 1; k < unit.first; ++k) {
    depth += tokens_[k].is("{") ? 1 : tokens_[k].is("}") ? -1 : 0;
  }
  const bool of_control = tokens_[unit.first - 1].is(")") || tokens_[unit.first - 1].is("else");
  return depth == 0 && !of_control;
}

}  // namespace warpgrade
