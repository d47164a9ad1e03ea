#include "emulator/changes/call_edit.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim {

TEST_CASE("an edit of a call is read as it is written", "[changes][unit]") {
  const CallEdit edit = {
      .file = "a.cu", .line = 47, .call = "add", .part = "2", .to = "@51:3", .later = true};
  CHECK(to_text(edit) == "call a.cu:47/add/2/@51:3#later");
  CHECK(parse_call_edit(to_text(edit)) == edit);
  for (const char* const wrong :
       {"a.cu:47/add/2/@3", "call a.cu/add/2/@3", "call a.cu:0/add/2/@3", "call a.cu:x/add/2/@3",
        "call :4/add/2/@3", "call a.cu:4/add/2", "call a.cu:4/add/2/", "call a.cu:4/add/2/+1/x",
        "call ", "call a.cu:99999999999/add/2/+1", ""}) {
    INFO(wrong);
    CHECK_FALSE(parse_call_edit(wrong));
  }
}

TEST_CASE("the kind of an edit of a call is a word of students", "[changes][unit]") {
  const auto kind = [](const char* part, const char* to) {
    return kind_of({.file = "a.cu", .line = 1, .call = "add", .part = part, .to = to});
  };
  CHECK(kind("0", "<>1") == "arguments exchanged");
  CHECK(kind("0", "@1") == "argument");
  CHECK(kind("0", "-1") == "number");
  CHECK(kind("0", "0") == "number");
  CHECK(kind("grid.y", "+1") == "blocks");
  CHECK(kind("bytes", "*4") == "size");
  CHECK(kind("from", "array=b") == "array");
  CHECK(kind("call", "none") == "call");
  CHECK(kind("call", "after=48") == "order");
}

}  // namespace warpsim
