#include "grader/judge/experiment/wording.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

Cause cause_of(CauseKind kind, std::size_t right, std::size_t tried, std::size_t repaired) {
  Cause cause;
  cause.kind = kind;
  cause.file = "scan.cu";
  cause.line = 14;
  cause.right = right;
  cause.tried = tried;
  cause.cases.resize(repaired);
  return cause;
}

TEST_CASE("a proof reveals as much of the change as the lab allows", "[experiment][unit]") {
  const Cause cause = cause_of(CauseKind::barrier, 12, 12, 8);
  CHECK(proof({.cause = cause}, Hints::place) ==
        "With one change at line 14 of scan.cu, all 12 visible cases are correct; now 4 are.");
  CHECK(proof({.cause = cause}, Hints::kind) ==
        "With a block barrier after line 14 of scan.cu, all 12 visible cases are correct; now "
        "4 are.");
  CHECK(proof({.cause = cause}, Hints::fix) ==
        "With `__syncthreads();` after line 14 of scan.cu, all 12 visible cases are correct; now 4 "
        "are.");
  CHECK(proof({.cause = cause, .behind = false, .around_branch = true}, Hints::kind) ==
        "With a block barrier before the branch or loop with line 14 of scan.cu, all 12 "
        "visible cases are correct; now 4 are.");
}

TEST_CASE("a proof claims no more cases than are right", "[experiment][unit]") {
  const Cause some = cause_of(CauseKind::blocks, 7, 9, 6);
  CHECK(proof({.cause = some, .words = "one more block along x"}, Hints::kind) ==
        "With one more block along x, 7 of 9 visible cases are correct; now 1 is.");
  CHECK(proof({.cause = some, .words = "one more block along x"}, Hints::place) ==
        "With one change of the launches, 7 of 9 visible cases are correct; now 1 is.");
  CHECK(proof({.cause = cause_of(CauseKind::outside, 3, 3, 3), .tried_all = false}, Hints::kind) ==
        "Without the out-of-bounds accesses at line 14 of scan.cu, all 3 visible cases that were "
        "tried are correct; now none is.");
  Cause one = cause_of(CauseKind::outputs, 1, 1, 1);
  one.from_hidden = true;
  CHECK(proof({.cause = some, .words = "one more block along x", .right_now = 0}, Hints::place)
            .ends_with("now none is."));
  CHECK(proof({.cause = one}, Hints::fix) ==
        "If the output held 0 before the call, the 1 hidden case would be correct; now none is.");
}

TEST_CASE("swapped indices are named with the line of their access", "[experiment][unit]") {
  Cause cause = cause_of(CauseKind::axes, 12, 12, 8);
  CHECK(headline(cause) == "scan.cu:14: row and column are swapped in an index.");
  CHECK(proof({.cause = cause}, Hints::place) ==
        "With one change of an index at line 14 of scan.cu, all 12 visible cases are correct; now "
        "4 are.");
  cause.line = 0;
  CHECK(headline(cause) == "x and y are swapped.");
}

TEST_CASE("what an index is computed from is named with the line of the access",
          "[experiment][unit]") {
  Cause cause = cause_of(CauseKind::row_length, 9, 9, 5);
  CHECK(headline(cause) == "scan.cu:14: the index is computed with the wrong length of a row.");
  const ProofParts said{.cause = cause, .words = "`n` in place of `m` in the products of `scan`"};
  CHECK(
      proof(said, Hints::fix) ==
      "With `n` in place of `m` in the products of `scan`, all 9 visible cases are correct; now 4 "
      "are.");
  CHECK(proof(said, Hints::kind) ==
        "With another parameter of the kernel as the length of a row, all 9 visible cases are "
        "correct; now 4 are.");
  CHECK(proof({.cause = cause}, Hints::place) ==
        "With one change of what indices are computed from, all 9 visible cases are correct; now 4 "
        "are.");
  cause.kind = CauseKind::thread_and_block;
  CHECK(headline(cause) == "scan.cu:14: threadIdx and blockIdx are swapped in the index.");
  cause.kind = CauseKind::bytes;
  CHECK(headline(cause) == "A size is given in elements instead of bytes.");
}

TEST_CASE("for a race without a wrong result, the proof says that the race is gone",
          "[experiment][unit]") {
  const Cause cause = cause_of(CauseKind::barrier, 3, 3, 3);
  CHECK(proof({.cause = cause, .about_races = true}, Hints::kind) ==
        "With a block barrier after line 14 of scan.cu, all 3 visible cases are correct and free "
        "of races.");
}

}  // namespace
}  // namespace warpgrade
