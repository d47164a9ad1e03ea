#include "emulator/recording/source_text.h"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "emulator/recording/sources.h"

using namespace warpsim::recording;

namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr const char* kTiles = R"(#define RADIUS 1
#define SQUARE(x) ((x) * (x))
constexpr int kX = 32, kY = 0x8;
const unsigned kBoth = kX + 2 * RADIUS;
__global__ void whole(float* out) {
  __shared__ float tile[kY + 2][kX + 2], row[kBoth];
  __shared__ double sums[SQUARE(2)];
  extern __shared__ float rest[];
}
template <typename T, int SIDE>
__global__ void any(T* out) {
  __shared__ T cells[SIDE][SIDE + 1];
}
)";

}  // namespace

TEST_CASE("extents of a shared array are those of its declaration", "[recording][unit]") {
  const SourceText text(kTiles);
  CHECK(text.shared_extents("tile", "whole(float*)", 1360) == Numbers{10, 34});
  CHECK(text.shared_extents("row", "whole(float*)", 136) == Numbers{34});
  CHECK(text.shared_extents("cells", "void any<float, 16>(float*)", 1088) == Numbers{16, 17});
  CHECK(text.shared_extents("cells", "void any<double, (int)8>(double*)", 576) == Numbers{8, 9});
}

TEST_CASE("extents that are not certain are left out", "[recording][unit]") {
  const SourceText text(kTiles);
  CHECK(text.shared_extents("tile", "whole(float*)", 1364).empty());  // another array has this name
  CHECK(text.shared_extents("sums", "whole(float*)", 32).empty());
  CHECK(text.shared_extents("rest", "whole(float*)", 1024).empty());
  CHECK(text.shared_extents("cells", "any(float*)", 1088).empty());
  CHECK(SourceText("constexpr int A = 4;\nvoid f() { const int A = 8; }\n"
                   "__global__ void k() { __shared__ int a[A][A * 2]; }")
            .shared_extents("a", "k()", 128)
            .empty());
  // Two functions' arrays of one name and size, which the kernel may call.
  const SourceText two(
      "__device__ void a() { __shared__ int t[4][8]; }\n"
      "__device__ void b() { __shared__ int t[8][4]; }\n"
      "__global__ void c() { __shared__ int t[2][16]; }");
  CHECK(two.shared_extents("t", "d()", 128).empty());
  CHECK(two.shared_extents("t", "c()", 128) == Numbers{2, 16});
  CHECK(SourceText("").shared_extents("t", "a()", 128).empty());
  CHECK(SourceText("__shared__ int t[").shared_extents("t", "a<", 128).empty());
}

TEST_CASE("a line that accesses nothing has the lines after it that name the array",
          "[recording][unit]") {
  const SourceText text(R"(__global__ void update(const float* in, float* out, int n) {
  int i = threadIdx.x;
  const bool inner = i > 0 && i < n - 1;  // in[i] is the centre
  if (inner) {
    out[i] = 2 *
             in[i] + in[i - 1];
  } else {
    out[i] = in[i];
  }
}
__global__ void other(const float* in) { float x = in[0]; }
)");
  CHECK(text.lines_naming("in", 3) == Numbers{6, 8});
  CHECK(text.lines_naming("in", 4) == Numbers{6, 8});
  CHECK(naming_note("in", 3, {6, 8}) ==
        "Line 3, which the compiler gives for this access, does not name `in`; lines 6 and 8 do.");
  CHECK(naming_note("in", 3, {6}) ==
        "Line 3, which the compiler gives for this access, does not name `in`; line 6 does.");
}

TEST_CASE("a line that may access the array itself has no others", "[recording][unit]") {
  const SourceText text(R"(__global__ void update(const float* in, float* out, int n) {
  const float* row = in + n;
  float a = row[1];
  float b = *row;
  float c = load(row, 2);
  float d = list->next;
  float e = 2 * n;
  int f = n * n;
  float g = in[3];
}
float h = n;
float k = in[4];
)");
  for (const std::uint32_t line : {2u, 3u, 4u, 5u, 6u, 9u, 11u, 40u}) {
    CAPTURE(line);
    CHECK(text.lines_naming("in", line).empty());
  }
  CHECK(text.lines_naming("in", 7) == Numbers{9});
  CHECK(text.lines_naming("in", 8) == Numbers{9});
  CHECK(text.lines_naming("", 7).empty());
  CHECK(text.lines_naming("elsewhere", 7).empty());
}

TEST_CASE("a message names its array in backquotes", "[recording][unit]") {
  CHECK(array_in("4-byte read past the end of `d_A` (1024 bytes)") == "d_A");
  CHECK(array_in("read of `cudaMalloc #2`").empty());
  CHECK(array_in("an `open end").empty());
  CHECK(array_in("nothing").empty());
}

TEST_CASE("the text of a file gives a recording's arrays and findings what they lack",
          "[recording][unit]") {
  Recording recording;
  recording.files.push_back({"a.cu", 1, {}});
  Block block;
  block.kernel = "k(float const*)";
  block.instructions = {{1, 3, "ld.global.f32 %f1, [%rd1]", 1, 4, ValueType::floating}};
  block.shared = {{"tile", 0, 128}};
  NamedFinding finding;
  finding.message = "4-byte read past the end of `in` (40 bytes)";
  finding.file = 1;
  finding.line = 3;
  NamedFinding race = finding;
  race.other_line = 4;
  block.findings = {finding, race};
  recording.blocks.push_back(block);
  std::istringstream text(
      "__global__ void k(const float* in) {\n"
      "  __shared__ float tile[4][8];\n"
      "  if (threadIdx.x < 32) {\n"
      "    tile[0][0] = in[threadIdx.x];\n"
      "  }\n"
      "}\n");
  add_text(recording, 1, text);
  const Block& made = recording.blocks.front();
  CHECK(made.shared.front().extents == Numbers{4, 8});
  CHECK(made.findings[0].naming == Numbers{4});
  CHECK(made.findings[0].message.ends_with(
      "(40 bytes). Line 3, which the compiler gives for this access, does not name `in`; line 4 "
      "does."));
  CHECK(made.findings[1].message == race.message);
  CHECK(recording.files.front().lines.size() == 6);
}
