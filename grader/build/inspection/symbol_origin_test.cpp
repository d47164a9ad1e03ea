#include "grader/build/inspection/symbol_origin.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {
namespace {

constexpr const char* kSource =
    "#include <stdlib.h>\n#include <lib.h>\n#define LOOK get##env\nchar* f() { return LOOK(0); }\n";

TEST_CASE("a call in a header is attributed to its include", "[grader][integrity]") {
  const std::string preprocessed =
      "# 1 \"x.cu\"\n"
      "# 1 \"/usr/include/stdlib.h\" 1 3 4\nextern char *getenv (const char *);\n"
      "# 2 \"x.cu\" 2\n"
      "# 1 \"/opt/lib.h\" 1\n# 1 \"/opt/inner.h\" 1\nchar* g() { return my_getenv(getenv(0)); }\n"
      "# 2 \"/opt/lib.h\" 2\n\n"
      "# 3 \"x.cu\" 2\n";
  CHECK(symbol_origin("getenv", preprocessed, "x.cu", kSource) == "`#include <lib.h>` at x.cu:2");
  CHECK(symbol_origin("my_getenv", preprocessed, "x.cu", kSource) ==
        "`#include <lib.h>` at x.cu:2");
  CHECK(symbol_origin("env", preprocessed, "x.cu", kSource).empty());
}

TEST_CASE("a name that a macro makes is attributed to the line that uses it",
          "[grader][integrity]") {
  CHECK(symbol_origin("getenv", "# 1 \"x.cu\"\n\n\n\nchar* f() { return getenv(0); }\n", "x.cu",
                      kSource) == "x.cu:4");
}

TEST_CASE("a declaration in the C library is not a call", "[grader][integrity]") {
  CHECK(symbol_origin("getenv",
                      "# 1 \"x.cu\"\n# 1 \"/usr/include/stdlib.h\" 1 3 4\n"
                      "extern char *getenv (const char *);\n# 2 \"x.cu\" 2\n",
                      "x.cu", kSource)
            .empty());
}

}  // namespace
}  // namespace warpgrade
