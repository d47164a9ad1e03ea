#include "grader/build/inspection/host_assembly.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {
namespace {

std::string found(const std::string& code, bool trusts_markers = true) {
  return host_assembly("# 1 \"vecadd.cu\"\n" + code, "/scratch/src/", trusts_markers);
}

TEST_CASE("assembly in host code is found with its location", "[grader][integrity]") {
  CHECK(found("void f() {\n __asm__(\"nop\"); }\n") == "inline assembly at vecadd.cu:2");
  CHECK(found("void f() { int x = 1; __asm__ volatile(\"nop\" : \"+r\" (x) :); }\n") ==
        "inline assembly at vecadd.cu:1");
  CHECK(found("# 7 \"/scratch/src/part/a.h\"\n__asm__(\".globl x\");\n") ==
        "inline assembly at part/a.h:7");
}

TEST_CASE("assembly hidden in a name is found", "[grader][integrity]") {
  CHECK(found("extern int q(int) __asm__(\"puts\\n\\tnop\");\n") ==
        "a name with assembly in it at vecadd.cu:1");
  CHECK(found("__attribute((__section__(\".x,\\\"ax\\\"\\n nop #\"))) int x;\n") ==
        "a section with assembly in its name at vecadd.cu:1");
}

TEST_CASE(
    "device code, labels, strings and the system's headers are not assembly of the submission",
    "[grader][integrity]") {
  CHECK(
      found("int f() {int volatile ___ = 1;  ::exit(___);}\n#if 0\n# 3\n{ __asm__ volatile(\"x\"); "
            "}\n#endif\n")
          .empty());
  CHECK(found("extern char *index(char * s, int c) noexcept(true) __asm__(\"index\");\n").empty());
  CHECK(found("const char* s = \"; __asm__(\\\"nop\\\")\";\n").empty());
  CHECK(found("int my__asm__ = 1;\n").empty());
  CHECK(found("__attribute((__section__(\".mine\"))) int x;\n").empty());
  const std::string header = "# 9 \"/usr/include/x86.h\"\n{ __asm__ volatile(\"pause\"); }\n";
  CHECK(found(header).empty());
  // Markers are not trusted if the submission writes its own.
  CHECK(found(header, false) == "inline assembly");
}

TEST_CASE("line markers in a submission are found in all spellings", "[grader][integrity]") {
  for (const char* text : {"#line 5 \"x\"\n", " # 7 \"x\"\n", "int a;\n%:line 3\n", "#  line 3\n",
                           "#li\\\nne 3\n", "# /* x */ line 3\n"}) {
    INFO(text);
    CHECK(writes_line_markers(text));
  }
  for (const char* text :
       {"#include <line>\n", "// #line 5\n", "#define line 5\n", "int line;\n"}) {
    INFO(text);
    CHECK_FALSE(writes_line_markers(text));
  }
}

}  // namespace
}  // namespace warpgrade
