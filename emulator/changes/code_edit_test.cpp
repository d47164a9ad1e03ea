#include "emulator/changes/code_edit.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

TEST_CASE("the text of an edit is read as the same edit", "[changes][unit]") {
  for (const char* text : {"scan.cu:42.7/setp.ge.s32/word/ge/gt", "scan.cu:42/add.s32/2/1/2",
                           "scan.cu:42.9/ld.shared.f32/1/address/+4#3", "a:b.cu:1/mov.b32/1/0/-inf",
                           "scan.cu:42.7/st.shared::cluster.f32/1/+8/-8"}) {
    const auto edit = parse_code_edit(text);
    REQUIRE(edit);
    CHECK(to_text(*edit) == text);
  }
  const auto edit = parse_code_edit("scan.cu:42.9/ld.shared.f32/1/address/+4#3");
  CHECK(edit->file == "scan.cu");
  CHECK(edit->line == 42);
  CHECK(edit->column == 9);
  CHECK(edit->opcode == "ld.shared.f32");
  CHECK(edit->part == "1");
  CHECK(edit->from == "address");
  CHECK(edit->to == "+4");
  CHECK(edit->only == 3);
}

TEST_CASE("another text is not read", "[changes][unit]") {
  for (const char* text :
       {"", "scan.cu", "scan.cu:42", "scan.cu:42/setp.ge.s32/word/ge", "scan.cu:0/add/2/1/2",
        "scan.cu:x/add/2/1/2", ":4/add/2/1/2", "scan.cu:4/add/2//2", "scan.cu:4/add/2/1/2#0",
        "scan.cu:4./add/2/1/2", "scan.cu:4/add/2/1/2#"}) {
    INFO(text);
    CHECK_FALSE(parse_code_edit(text));
  }
}

TEST_CASE("an edit has the kind that a student would name", "[changes][unit]") {
  const auto kind = [](const char* text) { return kind_of(*parse_code_edit(text)); };
  CHECK(kind("a.cu:1/setp.ge.s32/word/ge/gt") == "comparison");
  CHECK(kind("a.cu:1/setp.ge.s32/word/s32/u32") == "sign");
  CHECK(kind("a.cu:1/add.s32/word/add/sub") == "operator");
  CHECK(kind("a.cu:1/fma.rn.f32/3/value/negated") == "operator");
  CHECK(kind("a.cu:1/add.s32/2/1/2") == "number");
  CHECK(kind("a.cu:1/mul.lo.s32/2/p3/-1") == "number");
  CHECK(kind("a.cu:1/mul.lo.s32/2/p3/p4") == "variable");
  CHECK(kind("a.cu:1/mov.u32/1/tid.x/tid.y") == "index");
  CHECK(kind("a.cu:1/mov.b32/1/0/-inf") == "start value");
  CHECK(kind("a.cu:1/mov.b32/1/inf/-inf") == "start value");
  CHECK(kind("a.cu:1/mov.b32/1/2/4") == "number");
  CHECK(kind("a.cu:1/ld.global.f32/1/address/+4") == "element");
  CHECK(kind("a.cu:1/bra/guard/if/negated") == "condition");
  CHECK(kind("a.cu:1/sub.f32/order/order/1-2") == "order");
}

}  // namespace
}  // namespace warpsim
