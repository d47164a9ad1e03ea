#include "grader/build/inspection/ir_assembly.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {
namespace {

constexpr const char* kPlaces =
    "!1 = !DIFile(filename: \"vecadd.cu\", directory: \"/tmp/b/src\")\n"
    "!2 = distinct !DISubprogram(name: \"vecadd\", linkageName: \"_Z6vecaddv\", scope: !1, file: "
    "!1, "
    "line: 10)\n"
    "!3 = !DILocation(line: 12, column: 3, scope: !2)\n"
    "!4 = !DIFile(filename: \"/usr/include/cpuid.h\", directory: \"\")\n"
    "!5 = distinct !DILexicalBlock(scope: !2, file: !4, line: 3)\n"
    "!6 = !DILocation(line: 4, column: 1, scope: !5)\n"
    "!7 = distinct !DISubprogram(name: \"f\", linkageName: \"file: !4, x\", scope: !1, file: !1)\n"
    "!8 = !DILocation(line: 20, column: 1, scope: !7)\n";

std::string found_in_call(const std::string& call, bool trusts_markers = true) {
  return ir_assembly("define void @_Z6vecaddv() {\n" + call + "\n}\n" + kPlaces, "/tmp/b/src/",
                     trusts_markers);
}

TEST_CASE("assembly in a function of the submission is found with its line", "[inspection][unit]") {
  CHECK(
      found_in_call("  call void asm sideeffect \"nop\", \"~{flags}\"() #5, !dbg !3, !srcloc !9") ==
      "inline assembly at vecadd.cu:12");
  CHECK(found_in_call("  %2 = call i32 asm \"movl $$1, $0\", \"=r\"() #6, !dbg !3") ==
        "inline assembly at vecadd.cu:12");
}

TEST_CASE("assembly without a place, and outside of functions, is found", "[inspection][unit]") {
  CHECK(found_in_call("  callbr void asm sideeffect \"nop\", \"i\"(i8* null) #5") ==
        "inline assembly");
  CHECK(ir_assembly("module asm \".globl x\"\n", "/tmp/b/src/", true) ==
        "inline assembly outside of functions");
}

TEST_CASE("assembly of a system header counts only where #line could have hidden its place",
          "[inspection][unit]") {
  const std::string call = "  call void asm \"cpuid\", \"~{flags}\"() #5, !dbg !6";
  CHECK(found_in_call(call).empty());
  CHECK(found_in_call(call, false) == "inline assembly");
}

TEST_CASE("text of the submission's in strings is not taken for a place", "[inspection][unit]") {
  CHECK(found_in_call(
            "  call void asm sideeffect \"nop # , !dbg !6, \", \"~{flags}\"() #5, !dbg !3") ==
        "inline assembly at vecadd.cu:12");
  CHECK(found_in_call("  call void asm sideeffect \"nop\", \"\"() #5, !dbg !8") ==
        "inline assembly at vecadd.cu:20");
}

TEST_CASE("calls of functions and strings with the word are not assembly", "[inspection][unit]") {
  CHECK(found_in_call("  call void @asm(), !dbg !3").empty());
  CHECK(ir_assembly("@.str = private constant [5 x i8] c\" asm \\22\"\n", "/tmp/b/src/", true)
            .empty());
}

}  // namespace
}  // namespace warpgrade
