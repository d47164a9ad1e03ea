#include "emulator/ptx/locations.h"

#include <algorithm>
#include <limits>

#include "emulator/ptx/number.h"

namespace warpsim::ptx {
namespace {

constexpr std::uint64_t kMostLocations = std::numeric_limits<std::uint32_t>::max();

std::uint32_t expect_u32(Lexer& lexer, std::string_view what) {
  return static_cast<std::uint32_t>(expect_integer(lexer, what, kMostLocations));
}

}  // namespace

std::size_t Locations::KeyHash::operator()(const Key& key) const {
  const std::uint64_t mixed =
      (std::uint64_t{key.file} << 48) ^ (std::uint64_t{key.line} << 16) ^ key.column;
  return static_cast<std::size_t>((mixed * 0x9e3779b97f4a7c15u) >> 16);
}

void Locations::begin_function() {
  latest_.clear();
}

Locations::Key Locations::parse_position(Lexer& lexer) {
  Key key;
  key.file = expect_u32(lexer, "the file number of .loc");
  key.line = expect_u32(lexer, "the line of .loc");
  key.column = expect_u32(lexer, "the column of .loc");
  return key;
}

std::uint32_t Locations::parse_loc(Lexer& lexer, Module& module) {
  const Key key = parse_position(lexer);
  FunctionName name;
  std::uint32_t inlined_at = kNoIndex;
  while (lexer.accept(',')) {
    const Token word = lexer.expect(Token::Kind::identifier, "'function_name' or 'inlined_at'");
    if (word.text == "function_name") {
      name.label = lexer.expect(Token::Kind::identifier, "a label in .debug_str").text;
      if (lexer.accept('+')) name.offset = expect_u32(lexer, "the offset in .debug_str");
    } else if (word.text == "inlined_at") {
      // The call site was given in an earlier .loc, with its own call site.
      const Key call = parse_position(lexer);
      const auto known = latest_.find(call);
      inlined_at = known != latest_.end() ? known->second : intern(call, kNoIndex, {}, module);
    } else {
      fail(word, "expected 'function_name' or 'inlined_at', found " + describe(word));
    }
  }
  return intern(key, inlined_at, name, module);
}

std::uint32_t Locations::intern(const Key& key, std::uint32_t inlined_at, const FunctionName& name,
                                Module& module) {
  const auto next = static_cast<std::uint32_t>(module.locations.size());
  const auto [entry, is_new] = latest_.try_emplace(key, next);
  if (!is_new) {
    const std::uint32_t known = entry->second;
    if (module.locations[known].inlined_at == inlined_at && names_[known] == name) return known;
    entry->second = next;
  }
  module.locations.push_back(
      {.file = key.file, .line = key.line, .column = key.column, .inlined_at = inlined_at});
  names_.push_back(name);
  return next;
}

void Locations::parse_file(Lexer& lexer, Module& module) {
  const std::uint32_t number = expect_u32(lexer, "the number of .file");
  const Token path = lexer.expect(Token::Kind::string, "the path of .file");
  module.files.insert_or_assign(number, std::string(path.text));
  while (lexer.accept(',')) (void)expect_integer(lexer, "a time stamp or size", ~std::uint64_t{0});
}

void Locations::parse_section(Lexer& lexer, Module& module) {
  const Token name = lexer.next();
  if (!name.is(Token::Kind::dotted) && !name.is(Token::Kind::identifier)) {
    fail(name, "expected the name of a section, found " + describe(name));
  }
  const Token opening = lexer.peek();
  lexer.expect('{', "after the name of a section");
  if (name.is_dotted("debug_str") && !module.locations.empty()) {
    parse_strings(lexer);
  } else {
    lexer.skip_section(opening);
  }
}

void Locations::parse_strings(Lexer& lexer) {
  while (!lexer.accept('}')) {
    if (lexer.at(Token::Kind::identifier)) {
      string_labels_.insert_or_assign(lexer.next().text, strings_.size());
      lexer.expect(':', "after a label in .debug_str");
    } else if (lexer.accept_dotted("b8")) {
      do {
        strings_ += static_cast<char>(expect_integer(lexer, "a byte of .debug_str", 255));
      } while (lexer.accept(','));
    } else {
      lexer.fail_expected("a label, '.b8' or '}' in .debug_str");
    }
  }
}

void Locations::finish(Module& module) const {
  if (strings_.empty()) return;
  const std::string_view strings = module.names.add(strings_);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto found = string_labels_.find(names_[i].label);
    if (found == string_labels_.end()) continue;
    const std::uint64_t start =
        std::min<std::uint64_t>(found->second + names_[i].offset, strings.size());
    const std::string_view tail = strings.substr(start);
    module.locations[i].inlined_function = tail.substr(0, tail.find('\0'));
  }
}

}  // namespace warpsim::ptx
