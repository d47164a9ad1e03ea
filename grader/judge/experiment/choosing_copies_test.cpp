#include "grader/judge/experiment/choosing_copies.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace warpgrade {
namespace {

const std::string kSourceOfChoices =
    "#include <cuda_runtime.h>\n"
    "__device__ int twice(int x) { return x + x; }\n"
    "__global__ void used(int* out, int n) {\n"
    "  __shared__ int part[32];\n"
    "  const int i = threadIdx.x;\n"
    "  if (i < n) part[i] = twice(n);\n"
    "  __syncthreads();\n"
    "  out[i] = part[i];\n"
    "}\n"
    "void host(int* out) { used<<<1, 1>>>(out, 1); }\n";

bool has_words(const std::string& text, const std::string& words) {
  return text.find(words) != text.npos;
}

std::size_t places_of(const std::string& text, const std::string& word) {
  std::size_t number = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++number;
  return number;
}

/// An edit that replaces the first place of some text.
SourceEdit edit_of(const KernelSource& source, const std::string& from, const std::string& to,
                   std::size_t function = 1) {
  const std::size_t begin = source.text().find(from);
  return {.replacements = {{begin, begin + from.size(), to}},
          .function = function,
          .line = 1,
          .kind = from,
          .fix = to};
}

}  // namespace

TEST_CASE("a copy chooses between edits by a number", "[experiment][unit]") {
  const KernelSource source(kSourceOfChoices, {"used(int*, int)"});
  ChoosingCopies copies(
      source, {edit_of(source, "threadIdx.x", "blockIdx.x"), edit_of(source, "i < n", "true"),
               edit_of(source, "out[i] = part[i];", ";")});
  REQUIRE(copies.groups().size() == 1);
  const std::string program = copies.program();
  CHECK(places_of(program, "__global__ void used_copy1000(") == 1);
  CHECK(
      has_words(program, "asm(\"mov.u32 %0, 91831000;\" : \"=r\"(chosen_)); chosen_ -= 91830000;"));
  CHECK(has_words(program, "chosen_ == 1001 ? (decltype(i))(blockIdx.x ) : "));
  CHECK(has_words(program, "(decltype(i))(threadIdx.x)"));
  CHECK(has_words(program, "chosen_ == 1002 ? (bool)(true ) : "));
  CHECK(has_words(program, "if (chosen_ == 1003) {; } else"));
  CHECK(has_words(program, "{ out[i] = part[i]; }"));
  CHECK(!has_words(program, "void host"));
}

TEST_CASE("edits of two units are one choice in each", "[experiment][unit]") {
  const KernelSource source(kSourceOfChoices, {"used(int*, int)"});
  SourceEdit both = edit_of(source, "threadIdx.x", "0");
  both.replacements.push_back(edit_of(source, "i < n", "i > n").replacements[0]);
  ChoosingCopies copies(source, {both});
  CHECK(places_of(copies.program(), "chosen_ == 1001") == 2);
}

TEST_CASE("what cannot be chosen while a kernel runs is left out", "[experiment][unit]") {
  const KernelSource source(kSourceOfChoices, {"used(int*, int)"});
  CHECK(ChoosingCopies(source, {edit_of(source, "int part[32]", "float part[32]"),
                                edit_of(source, "const int i", "const unsigned i")})
            .empty());
  CHECK(ChoosingCopies(source, {}).empty());
}

TEST_CASE("a choice in a function is in copies of it and of its kernel", "[experiment][unit]") {
  const KernelSource source(kSourceOfChoices, {"used(int*, int)"});
  ChoosingCopies copies(source, {edit_of(source, "return x + x;", "return x;", 0)});
  const std::string program = copies.program();
  CHECK(has_words(program, "int twice_copy1000(int x)"));
  CHECK(has_words(program, "part[i] = twice_copy1000(n);"));
}

TEST_CASE("an edit that does not compile is known by its line", "[experiment][unit]") {
  const KernelSource source(kSourceOfChoices, {"used(int*, int)"});
  ChoosingCopies copies(
      source, {edit_of(source, "threadIdx.x", "nothing"), edit_of(source, "i < n", "true")});
  const auto line_of = [](const std::string& text, const std::string& word) {
    return static_cast<std::uint32_t>(1 + places_of(text.substr(0, text.find(word)), "\n"));
  };
  const std::string program = copies.program();
  CHECK(copies.numbers_at({line_of(program, "nothing")}) == std::set<std::size_t>{1001});
  // An error elsewhere is one of the whole copy.
  CHECK(copies.numbers_at({line_of(program, "__syncthreads")}) == std::set<std::size_t>{1000});
  CHECK(copies.numbers_at({1}).empty());
  CHECK(!has_words(copies.program({1001}), "nothing"));
  CHECK(!has_words(copies.program({1000}), "used_copy1000"));
}

TEST_CASE("compiled copies are written once for each number", "[experiment][unit]") {
  const KernelSource source(kSourceOfChoices, {"used(int*, int)"});
  const ChoosingCopies copies(
      source, {edit_of(source, "threadIdx.x", "blockIdx.x"), edit_of(source, "i < n", "true")});
  const std::string ptx =
      "//\n.version 8.0\n.target sm_70\n.address_size 64\n\n"
      "\t// .globl\t_Z13used_copy1000Pii\n"
      ".global .align 4 .u32 other;\n"
      ".shared .align 4 .b8 _ZZ13used_copy1000PiiE4part[128];\n\n"
      ".visible .entry _Z13used_copy1000Pii(\n\t.param .u64 _Z13used_copy1000Pii_param_0\n)\n"
      "{\n\tmov.u32 %r1, 91831000;\n\tret;\n}\n";
  const std::string text = copies.written_out(ptx, {1000, 1001, 1002});
  CHECK(places_of(text, ".visible .entry") == 3);
  CHECK(places_of(text, ".global .align") == 1);
  CHECK(places_of(text, ".version") == 1);
  CHECK(places_of(text, ".shared .align") == 3);
  for (const std::string number : {"1000", "1001", "1002"}) {
    CHECK(places_of(text, "mov.u32 %r1, 9183" + number + ";") == 1);
    CHECK(places_of(text, ".visible .entry _Z13used_copy" + number + "Pii(") == 1);
  }
  CHECK(places_of(copies.written_out(ptx, {1001}), ".visible .entry") == 1);
}

TEST_CASE("copies have a limit, and edits that end loops are among themselves",
          "[experiment][unit]") {
  std::string body;
  for (int k = 0; k < 40; ++k) body += "  for (int k = n; k < 8; ++k) out[k] = n;\n";
  const KernelSource source("__global__ void k(int* out, int n) {\n" + body + "}\n",
                            {"k(int*, int)"});
  std::vector<SourceEdit> edits;
  for (std::size_t at = source.text().find("k < 8"); at != std::string::npos;
       at = source.text().find("k < 8", at + 1)) {
    for (const auto& [begin, end, by] :
         {std::tuple{at, at + 5, "k < 9"}, {at + 12, at + 23, ";"}}) {
      edits.push_back(
          {.replacements = {{begin, end, by}}, .function = 0, .line = 2, .kind = "", .fix = ""});
    }
  }
  const ChoosingCopies copies(source, edits);
  REQUIRE(copies.groups().size() > 1);
  for (const ChoosingCopies::Group& group : copies.groups()) {
    CHECK(group.edits.size() <= 16);
    const bool of_loops = group.edits.front().replacements[0].text == "k < 9";
    for (const SourceEdit& one : group.edits) {
      CHECK((one.replacements[0].text == "k < 9") == of_loops);
    }
  }
}

}  // namespace warpgrade
