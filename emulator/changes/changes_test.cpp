#include "emulator/changes/changes.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

using Kind = Change::Kind;

std::vector<Change> parsed(const char* text) {
  std::string error;
  auto changes = parse_changes(text, error);
  CHECK(error == "");
  return changes.value_or(std::vector<Change>{});
}

std::string error_of(const char* text) {
  std::string error;
  CHECK_FALSE(parse_changes(text, error));
  return error;
}

TEST_CASE("changes are read one by one, each with what it is about", "[changes][unit]") {
  const auto all = parsed(
      "barrier-after=a/vecadd.cu:14;in-turn=20-22;start=tile:0xff800000;outside=all;"
      "blocks=sum:y-1;exchange=grid;block=16x8;direction=pointers;block=fit;"
      "pair=gemm.cu:22:1536/32/96;pair=22:64/8/8/2;pair=a.cu:7:tile;"
      "exchange=thread;length=blur:2/3;sign=bytes;bytes=malloc/4;bytes=copy/8;bytes=set/2;"
      "operands=blur.cu:1-9;edit=blur.cu:7.3/add.s32/2/1/2");
  REQUIRE(all.size() == 20);
  CHECK(all[0].kind == Kind::barrier_after);
  CHECK(all[0].text == "barrier-after=a/vecadd.cu:14");
  CHECK(all[0].name == "a/vecadd.cu");
  CHECK(all[0].first_line == 14);
  CHECK(all[1].first_line == 20);
  CHECK(all[1].last_line == 22);
  CHECK(all[2].name == "tile");
  CHECK(all[2].word == 0xff800000u);
  CHECK(all[3].first_line == 0);
  CHECK(all[4].axis == 1);
  CHECK(all[4].fewer);
  CHECK(all[5].kind == Kind::exchange_grid);
  CHECK(all[6].size == std::array<std::uint32_t, 3>{16, 8, 1});
  CHECK(all[8].kind == Kind::fit);
  CHECK(all[9].kind == Kind::exchange_pair);
  CHECK(all[9].name == "gemm.cu");
  CHECK(all[9].first_line == 22);
  CHECK(all[9].pairs.elements == 1536);
  CHECK(all[9].pairs.from == 32);
  CHECK(all[9].pairs.to == 96);
  CHECK(all[9].pairs.ordinal == 0);
  CHECK(all[10].pairs.ordinal == 2);
  CHECK(all[11].pairs.elements == 0);
  CHECK(all[12].kind == Kind::exchange_thread);
  CHECK(all[13].kind == Kind::row_length);
  CHECK(all[13].name == "blur");
  CHECK(all[13].parameter == 2);
  CHECK(all[13].other == 3);
  CHECK(all[14].kind == Kind::unsigned_bytes);
  CHECK(all[15].kind == Kind::more_allocated);
  CHECK(all[15].times == 4);
  CHECK(all[16].kind == Kind::more_copied);
  CHECK(all[17].kind == Kind::more_set);
  CHECK(all[18].kind == Kind::exchange_operands);
  CHECK(all[18].last_line == 9);
  CHECK(parsed("").empty());
}

TEST_CASE("what is not a change is one error that says what it should be", "[changes][unit]") {
  CHECK(error_of("barrier=14").starts_with("unknown change 'barrier'; known: barrier-before, "));
  CHECK(error_of("barrier-after=0") == "change 'barrier-after': '0' is not [FILE:]LINE");
  CHECK(error_of("in-turn=9-3") == "change 'in-turn': '9-3' is not [FILE:]LINE[-LINE]");
  CHECK(error_of("blocks=x+2") ==
        "change 'blocks': 'x+2' is not [KERNEL:]x+1, x-1, x*TIMES, y+1, ...");
  for (const char* bad : {"block=0",
                          "block=16x",
                          "block=1x1x1x1",
                          "block=2000",
                          "start=-1",
                          "start=4294967296",
                          "exchange=x",
                          "direction=",
                          "outside=0",
                          "pair=22",
                          "pair=22:6/2",
                          "pair=22:6/2/0",
                          "pair=22:6/2/3/0",
                          "pair=22:6/2/3/1/1",
                          "pair=0:6/2/3",
                          "pair=tile",
                          "=",
                          "start",
                          "length=2",
                          "length=2/2",
                          "length=a/2",
                          "sign=words",
                          "bytes=4",
                          "bytes=free/4",
                          "bytes=copy/1",
                          "bytes=copy/17"}) {
    CAPTURE(bad);
    CHECK(error_of(bad) != "");
  }
}

TEST_CASE("a change is about a line by number and by the file's name", "[changes][unit]") {
  const Change named = parsed("barrier-after=sub/vecadd.cu:14").front();
  CHECK(named.is_about("/somewhere/else/vecadd.cu", 14));
  CHECK_FALSE(named.is_about("/somewhere/vecadd.cu", 15));
  CHECK_FALSE(named.is_about("/somewhere/not_vecadd.cu", 14));
  CHECK(parsed("barrier-after=14").front().is_about("any.cu", 14));
}

TEST_CASE("a kernel is found by its own name, and not by a part of it", "[changes][unit]") {
  CHECK(parsed("blocks=x*4").front().times == 4);
  CHECK_FALSE(error_of("blocks=x*1").empty());
  const Change change = parsed("blocks=sum:x+1").front();
  CHECK(change.is_about_function("_Z3sumPKfPfi"));
  CHECK(change.is_about_function("sum"));
  CHECK_FALSE(change.is_about_function("_Z9block_sumPf"));
  CHECK(parsed("blocks=x+1").front().is_about_function("_Z9block_sumPf"));
}

TEST_CASE("the first problem of a change is reported", "[changes][unit]") {
  Changes changes(parsed("barrier-after=14;start=0"));
  changes.problem(changes.list().front(), "first");
  changes.problem(Kind::barrier_after, "second");
  changes.made(changes.list().back(), 3);
  const auto notes = changes.notes();
  CHECK(notes[0].problem == "first");
  CHECK(notes[0].places == 0);
  CHECK(notes[1].problem == "");
  CHECK(notes[1].places == 3);
}

}  // namespace
}  // namespace warpsim
