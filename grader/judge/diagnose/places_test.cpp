#include "grader/judge/diagnose/places.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using warpsim::ArrayAccess;

/// An access to an element of an array.
ArrayAccess at(std::int64_t element, std::uint64_t elements, std::uint64_t width) {
  return {.offset = element * static_cast<std::int64_t>(width),
          .width = width,
          .bytes = elements * width};
}

/// The same finding in each case, with the access of that case.
Evidence with_accesses(const Lab& lab, const std::vector<ArrayAccess>& accesses) {
  Evidence evidence = testing::right_evidence(lab);
  ReportedFinding finding;
  finding.kind = "unwritten-global-read";
  finding.severity = "error";
  finding.file = "add.cu";
  finding.line = 7;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    finding.offset = accesses[i].offset;
    finding.width = accesses[i].width;
    finding.array_bytes = accesses[i].bytes;
    evidence.cases.at(i).emulator->findings = {finding};
  }
  return evidence;
}

TEST_CASE("an array of which a quarter is set was given a number of elements for bytes",
          "[diagnose][places]") {
  CHECK(written_by_elements({at(25, 100, 4), at(250, 1003, 4)}));
  CHECK(written_by_elements({at(12, 100, 8), at(125, 1000, 8)}));
  CHECK_FALSE(written_by_elements({at(25, 100, 4)}));  // once may be chance
  CHECK_FALSE(written_by_elements({at(25, 100, 4), at(25, 100, 4)}));
  CHECK_FALSE(written_by_elements({at(25, 100, 4), at(256, 1003, 4)}));
  CHECK_FALSE(written_by_elements({at(0, 1, 4), at(0, 2, 4)}));
  CHECK_FALSE(written_by_elements({}));
}

TEST_CASE("an element that is the first unwritten one at every size is named",
          "[diagnose][places]") {
  CHECK(same_first_unwritten({at(1024, 1500, 4), at(1024, 4000, 4)}) == 1024);
  CHECK(same_first_unwritten({at(1024, 1500, 4), at(1024, 1500, 4)}) == 0);
  CHECK(same_first_unwritten({at(1024, 1500, 4), at(256, 4000, 4)}) == 0);
  CHECK(same_first_unwritten({at(0, 1500, 4), at(0, 4000, 4)}) == 0);
  CHECK(same_first_unwritten({at(7, 1500, 4), at(7, 4000, 4)}) == 0);
}

TEST_CASE("the access of a finding is taken from its record, whatever its texts say",
          "[diagnose][places]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = with_accesses(lab, {at(25, 100, 4)});
  ReportedFinding& finding = evidence.cases[0].emulator->findings[0];
  finding.got = "unwritten bytes at offset 8 (element 2 of 4 bytes)";
  const std::vector<Item> items;
  const auto found = accesses_of(Clues(evidence, items, {}), finding);
  REQUIRE(found.size() == 1);
  CHECK(found[0].element() == 25);
  CHECK(found[0].elements() == 100);
  finding.width = 0;  // an earlier version wrote the record
  CHECK(accesses_of(Clues(evidence, items, {}), finding).empty());
}

TEST_CASE("an index off by one leaves the array by one element, once in each case",
          "[diagnose][places]") {
  const Lab lab = testing::test_lab();
  const std::vector<Item> items;
  const auto side = [&](const std::vector<ArrayAccess>& accesses, std::uint64_t count = 1) {
    Evidence evidence = with_accesses(lab, accesses);
    for (CaseOutcome& c : evidence.cases) {
      for (ReportedFinding& f : c.emulator->findings) f.count = count;
    }
    const ReportedFinding first = evidence.cases[0].emulator->findings[0];
    return only_element_outside(Clues(evidence, items, {}), first);
  };
  CHECK(side({at(100, 100, 4), at(1003, 1003, 4)}) == 1);
  CHECK(side({at(-1, 100, 4), at(-1, 1003, 4)}) == -1);
  CHECK(side({at(100, 100, 4)}) == 0);  // a single case
  CHECK(side({at(101, 100, 4), at(1003, 1003, 4)}) == 0);
  CHECK(side({at(100, 100, 4), at(-1, 1003, 4)}) == 0);
  CHECK(side({at(100, 100, 4), at(1003, 1003, 4)}, 2) == 0);
}

}  // namespace
}  // namespace warpgrade
