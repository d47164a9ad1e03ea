#include "emulator/findings/finding_kinds.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "emulator/findings/finding.h"

using namespace warpsim;

namespace {

const std::filesystem::path kRoot =
    std::filesystem::path(WARPSIM_TEST_DATA).parent_path().parent_path();

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// All of our code in a folder, tests and the table left out.
std::string code_in(const char* folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / folder)) {
    const std::string path = entry.path().string();
    const bool is_code = path.ends_with(".cpp") || path.ends_with(".h");
    const bool is_test = path.find("_test.cpp") != path.npos || path.find("/tests/") != path.npos ||
                         path.find("/testing/") != path.npos || path.find("/browser/") != path.npos;
    if (is_code && !is_test && path.find("finding_kinds.") == path.npos) all += content(path);
  }
  return all;
}

/// The name of a kind in C++: its slug with other strokes.
std::string enumerator(std::string_view slug) {
  std::string name(slug);
  std::ranges::replace(name, '-', '_');
  return "FindingKind::" + name;
}

bool names(const std::string& code, const std::string& name) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end == code.size() || !in_word(code[end])) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("each kind of finding has a slug of its own and is found by it", "[checkers][unit]") {
  std::set<std::string_view> slugs;
  for (const FindingInfo& kind : finding_kinds()) {
    CHECK(slugs.insert(kind.slug).second);
    CHECK(find_finding_kind(kind.slug) == &kind);
    CHECK(&info_of(kind.kind) == &kind);
    CHECK_FALSE(kind.title.empty());
  }
  CHECK(find_finding_kind("oob-global") == nullptr);
  CHECK(find_finding_kind("") == nullptr);
}

TEST_CASE("a finding has the severity and the pitfall of its kind", "[checkers][unit]") {
  CHECK(Finding(FindingKind::warp_synchronous).severity == Severity::warning);
  CHECK(Finding(FindingKind::warp_synchronous).pitfall == "P29");
  CHECK(Finding(FindingKind::race_shared).severity == Severity::error);
  CHECK(Finding(FindingKind::race_shared).pitfall.empty());
}

TEST_CASE("a kind that costs points is an error, or what relies on luck", "[checkers][unit]") {
  for (const FindingInfo& kind : finding_kinds()) {
    INFO(kind.slug);
    const bool luck = kind.topic == FindingTopic::luck;
    if (kind.effect == FindingEffect::unsafe) CHECK(kind.severity == Severity::error);
    if (kind.effect == FindingEffect::half) {
      CHECK((luck || kind.topic == FindingTopic::tidiness));
      CHECK((kind.severity == Severity::error) != luck);
    }
    if (kind.effect == FindingEffect::advice) CHECK(kind.severity != Severity::error);
    CHECK((kind.effect == FindingEffect::not_assessed) == (kind.topic == FindingTopic::emulator));
  }
}

TEST_CASE("some code of the emulator reports each kind", "[checkers][unit]") {
  const std::string code = code_in("emulator");
  for (const FindingInfo& kind : finding_kinds()) {
    INFO(kind.slug);
    CHECK(names(code, enumerator(kind.slug)));
  }
  CHECK_FALSE(names(code, "FindingKind::oob_global"));
}

TEST_CASE("no code spells the name of a kind", "[checkers][unit]") {
  // Words that name other things too: one of compute-sanitizer's kinds, a cause of a crash.
  const std::set<std::string_view> words = {"leak", "trap", "assertion", "deadlock"};
  for (const char* folder : {"emulator", "harness", "grader"}) {
    const std::string code = code_in(folder);
    for (const FindingInfo& kind : finding_kinds()) {
      INFO(folder << ": " << kind.slug);
      const bool spelled = code.find('"' + std::string(kind.slug) + '"') != code.npos;
      CHECK((!spelled || words.contains(kind.slug)));
    }
  }
}

TEST_CASE("the emulator's page lists each kind", "[checkers][unit]") {
  const std::string page = content(kRoot / "docs" / "emulator.md");
  for (const FindingInfo& kind : finding_kinds()) {
    INFO(kind.slug);
    // `oob-global-read`, `-write`: later ones of a row leave out what they share.
    const std::size_t last = kind.slug.rfind('-');
    const std::string tail = last == kind.slug.npos ? "" : std::string(kind.slug.substr(last));
    const bool whole = page.find('`' + std::string(kind.slug) + '`') != page.npos;
    const bool by_tail = !tail.empty() && (page.find('`' + tail + '`') != page.npos ||
                                           page.find('`' + tail + "-`") != page.npos);
    const bool by_middle = kind.slug.starts_with("unwritten-");
    CHECK((whole || by_tail || by_middle));
  }
}
