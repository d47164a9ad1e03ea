#include "grader/judge/experiment/kernel_parameters.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>

#include "grader/core/comments.h"

namespace warpgrade {
namespace {

bool is_in_type(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_in_type(text[end])) ++end;
    if (end > i) words.emplace_back(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

KernelParameter parameter_of(std::string_view text) {
  static const std::set<std::string> kWhole = {
      "int", "unsigned", "uint", "int32_t", "std::int32_t", "signed", "uint32_t", "std::uint32_t"};
  std::vector<std::string> words = words_of(text);
  if (words.size() < 2) return {};
  KernelParameter parameter{.name = words.back()};
  words.pop_back();
  std::erase(words, "const");
  parameter.whole =
      text.find_first_of("*&[<") == std::string_view::npos &&
      std::ranges::all_of(words, [](const std::string& word) { return kWhole.contains(word); });
  return parameter;
}

/// The text from an opening parenthesis to its closing one, without both; empty if there is none.
std::string_view in_parentheses(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (depth == 0) return code.substr(open + 1, i - open - 1);
  }
  return {};
}

std::vector<KernelParameter> split(std::string_view list) {
  std::vector<KernelParameter> parameters;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size()) {
      depth += list[i] == '<' || list[i] == '(' ? 1 : list[i] == '>' || list[i] == ')' ? -1 : 0;
      if (list[i] != ',' || depth != 0) continue;
    }
    parameters.push_back(parameter_of(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parameters;
}

/// Where the list of parameters opens after a kernel's name; npos if the name is another's.
std::size_t list_after(std::string_view code, std::size_t at, std::size_t length) {
  if (at > 0 && is_in_type(code[at - 1])) return std::string_view::npos;
  std::size_t open = at + length;
  while (open < code.size() && std::isspace(static_cast<unsigned char>(code[open])) != 0) ++open;
  return open < code.size() && code[open] == '(' ? open : std::string_view::npos;
}

}  // namespace

std::vector<KernelParameter> kernel_parameters(const std::vector<SourceFile>& sources,
                                               std::string_view name) {
  if (name.empty()) return {};
  for (const SourceFile& source : sources) {
    const std::string code = without_comments(source.text);
    const std::string_view text = code;
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      const std::size_t open = list_after(text, at, name.size());
      if (open == std::string_view::npos) continue;
      // The head of a function: what is between the end of what stands before it and its name.
      const std::size_t before = text.find_last_of(";}#", at);
      const std::size_t head = before == std::string_view::npos ? 0 : before + 1;
      if (text.substr(head, at - head).find("__global__") == std::string_view::npos) continue;
      return split(in_parentheses(text, open));
    }
  }
  return {};
}

}  // namespace warpgrade
