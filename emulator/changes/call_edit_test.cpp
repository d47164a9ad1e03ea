#include "emulator/changes/call_edit.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpsim {

TEST_CASE("an edit of a call is read as it is written", "[changes][unit]") {
  for (const char* const text :
       {"call a.cu:47/add/2/@51:3#later", "call a.cu:47/add/2/@3", "call a.cu:47/add/12/<>0",
        "call a.cu:47/add/0/7", "call a.cu:47/add/0/+1", "call a.cu:47/add/0/blocks-1",
        "call a.cu:47/add/0/count=in", "call a.cu:47/add/grid.y/*2",
        "call a.cu:47/add/grid.z/ceil=4", "call a.cu:47/add/grid.x/rows=out:4",
        "call a.cu:47/add/grid/<>y", "call a.cu:47/add/grid/<>block", "call a.cu:47/add/shared/*4",
        "call a.cu:9/cudaMemcpy/bytes/all", "call a.cu:9/cudaMemcpy/from/array=b",
        "call a.cu:9/cudaMemset/value/255", "call a.cu:9/cudaMemcpy/call/after=48",
        "call a.cu:9/cudaMemcpy/call/none", "call a.cu:9/add/call/twice"}) {
    INFO(text);
    const auto edit = parse_call_edit(text);
    REQUIRE(edit);
    CHECK(to_text(*edit) == text);
  }
  const CallEdit edit = {.file = "a.cu",
                         .line = 47,
                         .call = "add",
                         .part = {.kind = CallPart::Kind::argument, .argument = 2},
                         .to = {.kind = CallValue::Kind::argument, .number = 3, .line = 51},
                         .later = true};
  CHECK(parse_call_edit("call a.cu:47/add/2/@51:3#later") == edit);
  for (const char* const wrong :
       {"a.cu:47/add/2/@3", "call a.cu/add/2/@3", "call a.cu:0/add/2/@3", "call a.cu:x/add/2/@3",
        "call :4/add/2/@3", "call a.cu:4/add/2", "call a.cu:4/add/2/", "call a.cu:4/add/2/+1/x",
        "call a.cu:4/add/grid.w/+1", "call a.cu:4/add/-1/+1", "call a.cu:4/add/2/@", "call ",
        "call a.cu:4/add/2/@x:1", "call a.cu:4/add/2/array=", "call a.cu:4/add/2/rows=a",
        "call a.cu:4/add/call/after=0", "call a.cu:4/add/2/+2", "call a.cu:99999999999/add/2/+1",
        ""}) {
    INFO(wrong);
    CHECK_FALSE(parse_call_edit(wrong));
  }
}

TEST_CASE("the kind of an edit of a call is a word of students", "[changes][unit]") {
  const auto kind = [](const std::string& part_and_value) {
    const auto edit = parse_call_edit("call a.cu:1/add/" + part_and_value);
    REQUIRE(edit);
    return kind_of(*edit);
  };
  CHECK(kind("0/<>1") == "arguments exchanged");
  CHECK(kind("0/@1") == "argument");
  CHECK(kind("0/-1") == "number");
  CHECK(kind("0/0") == "number");
  CHECK(kind("grid.y/+1") == "blocks");
  CHECK(kind("bytes/*4") == "size");
  CHECK(kind("from/array=b") == "array");
  CHECK(kind("call/none") == "call");
  CHECK(kind("call/after=48") == "order");
}

}  // namespace warpsim
