#include "grader/judge/experiment/host_calls.h"

#include <algorithm>
#include <optional>

#include "harness/core/source_tokens.h"

namespace warpgrade {
namespace {

using Tokens = std::vector<SourceToken>;

/// A launch has a configuration of at most so many tokens, and a kernel as many template arguments.
constexpr std::size_t kLongestPart = 200;

std::size_t find_sign(const Tokens& tokens, std::size_t from, std::string_view sign) {
  for (std::size_t i = from; i < std::min(tokens.size(), from + kLongestPart); ++i) {
    if (tokens[i].is(sign)) return i;
    if (tokens[i].is(";") || tokens[i].is("{")) break;
  }
  return tokens.size();
}

/// Where the list of a launch opens whose kernel's name is here; nothing for other names.
std::optional<std::size_t> list_of_launch(const Tokens& tokens, std::size_t name) {
  std::size_t begin = name + 1;
  // Arguments of a template are followed by the configuration.
  if (begin < tokens.size() && tokens[begin].is("<")) begin = find_sign(tokens, begin, "<<<");
  if (begin >= tokens.size() || !tokens[begin].is("<<<")) return std::nullopt;
  const std::size_t end = find_sign(tokens, begin, ">>>");
  if (end + 1 >= tokens.size() || !tokens[end + 1].is("(")) return std::nullopt;
  return end + 1;
}

std::vector<std::string> arguments_in(std::string_view source, const Tokens& tokens,
                                      std::size_t open, std::size_t close) {
  std::vector<std::string> arguments;
  std::size_t first = open + 1;
  int depth = 0;
  for (std::size_t i = open + 1; i <= close; ++i) {
    const SourceToken& token = tokens[i];
    const bool ends = i == close || (depth == 0 && token.is(","));
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
    if (token.is(")") || token.is("]") || token.is("}")) --depth;
    if (!ends || first >= i) continue;
    arguments.emplace_back(
        source.substr(tokens[first].begin, tokens[i - 1].end() - tokens[first].begin));
    first = i + 1;
  }
  return arguments;
}

}  // namespace

std::vector<HostCall> host_calls(std::string_view source) {
  const Tokens tokens = tokens_of(source);
  std::vector<HostCall> calls;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != SourceToken::Kind::name) continue;
    const bool of_runtime = tokens[i].text.starts_with("cuda") && tokens[i + 1].is("(");
    const std::optional<std::size_t> open =
        of_runtime ? std::optional(i + 1) : list_of_launch(tokens, i);
    const std::size_t close = open ? closing(tokens, *open) : tokens.size();
    if (close >= tokens.size()) continue;
    calls.push_back({.name = std::string(tokens[i].text),
                     .arguments = arguments_in(source, tokens, *open, close),
                     .first_line = tokens[i].line,
                     .last_line = tokens[close].line});
  }
  return calls;
}

}  // namespace warpgrade
