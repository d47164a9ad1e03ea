#include "grader/class/similar/similar.h"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <vector>

#include "grader/class/similar/similar_page.h"

namespace warpgrade {
namespace {

const std::string kTree = R"(__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0.0f;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
)";
const std::string kLaunch = R"(void reduction(const float *in, float *out, int n) {
  cudaMemset(out, 0, sizeof(float));
  const int blocks = (n + 255) / 256;
  if (blocks == 0) return;
  reduce<<<blocks, 256>>>(in, out, n);
}
)";
const std::string kShuffle = R"(__device__ float warp_sum(float v) {
  v += __shfl_down_sync(0xffffffff, v, 16);
  v += __shfl_down_sync(0xffffffff, v, 8);
  v += __shfl_down_sync(0xffffffff, v, 4);
  v += __shfl_down_sync(0xffffffff, v, 2);
  return v + __shfl_down_sync(0xffffffff, v, 1);
}
__global__ void sums(float *r, const float *x, long count) {
  float mine = 0;
  for (long k = threadIdx.x; k < count; k += blockDim.x) mine += x[k];
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(r, mine);
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

ComparedWork work(const std::string& name, const std::string& source,
                  const KnownPassages& known = {}) {
  return compared_work(name, {{.name = "reduction.cu", .text = source}}, known);
}

double similarity(const std::string& a, const std::string& b, const KnownPassages& known = {}) {
  const auto pairs = rank_pairs({work("a", a, known), work("b", b, known)});
  return pairs.empty() ? 0 : pairs.front().similarity();
}

TEST_CASE("comments, white space, names and numbers make no difference", "[similar][tokens]") {
  const auto one = normalised_tokens("int total = a[3] + b; // sum\n");
  const auto other = normalised_tokens("/* x */ int\n s\n=u[ 17 ]+v ;");
  REQUIRE(one.size() == other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].hash == other[i].hash);
  }
  CHECK(one.front().line == 1);
  CHECK(other.back().line == 3);
}

TEST_CASE("keywords, operators and calls of the CUDA API make a difference", "[similar][tokens]") {
  const auto differ = [](const char* a, const char* b) {
    return normalised_tokens(a).at(0).hash != normalised_tokens(b).at(0).hash;
  };
  CHECK(differ("int", "float"));
  CHECK(differ("+", "-"));
  CHECK(differ("cudaMalloc", "cudaFree"));
  CHECK(differ("__syncthreads", "__syncwarp"));
  CHECK_FALSE(differ("total", "sum"));
}

TEST_CASE("unfinished comments, strings and bytes of any kind are read to the end",
          "[similar][tokens]") {
  CHECK(normalised_tokens("a /* never closed").size() == 1);
  CHECK(normalised_tokens("\"never closed\nb").size() == 2);
  CHECK(normalised_tokens("\"ends in a backslash\\").size() == 1);
  CHECK(normalised_tokens(std::string("\0\xff\x80", 3)).size() == 2);
  CHECK(normalised_tokens("").empty());
}

TEST_CASE("an equal passage of the guaranteed length is found at any position",
          "[similar][winnow]") {
  std::vector<Token> passage;
  for (std::size_t i = 0; i < kGram + kWindow - 1; ++i) {
    passage.push_back({1000 + i * i, 1});
  }
  for (std::size_t offset = 0; offset < 40; ++offset) {
    std::vector<Token> a;
    std::vector<Token> b;
    for (std::size_t i = 0; i < 60; ++i) {
      a.push_back({i * 7919 + 1, 1});
      b.push_back({i * 104729 + 2, 1});
    }
    a.insert(a.begin() + static_cast<std::ptrdiff_t>(offset), passage.begin(), passage.end());
    b.insert(b.begin() + 20, passage.begin(), passage.end());
    bool found = false;
    for (const Fingerprint& x : winnow(a)) {
      for (const Fingerprint& y : winnow(b)) {
        found = found || x.hash == y.hash;
      }
    }
    CHECK(found);
  }
}

TEST_CASE("sources with fewer tokens than a fingerprint are never similar", "[similar][winnow]") {
  CHECK(winnow(normalised_tokens("int a = 1;")).empty());
  CHECK(winnow({}).empty());
}

TEST_CASE("a copy with other names, comments and layout is a copy", "[similar]") {
  std::string copy = kTree + kLaunch;
  for (const auto& [from, to] : {std::pair{"reduce", "blocksum"},
                                 {"part", "buffer"},
                                 {"stride", "halfOfIt"},
                                 {"blocks", "gridSize"}}) {
    copy = replaced(copy, from, to);
  }
  copy = replaced(copy, ";\n", "; // mine\n\n");
  CHECK(similarity(kTree + kLaunch, copy) == 1);
}

TEST_CASE("functions in another order stay similar", "[similar]") {
  CHECK(similarity(kTree + kLaunch, kLaunch + kTree) > 0.8);
}

TEST_CASE("a copied part shows as a share of the larger one", "[similar]") {
  const auto pairs = rank_pairs({work("a", kTree), work("b", kTree + kShuffle + kLaunch)});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].share_of_a > 0.9);
  CHECK(pairs[0].share_of_b < 0.6);
}

TEST_CASE("two different solutions of one task are not listed", "[similar]") {
  CHECK(similarity(kTree, kShuffle) == 0);
}

TEST_CASE("code from the handout does not count, additions to it do", "[similar]") {
  KnownPassages known;
  add_known(kTree, known);
  CHECK(similarity(kTree, kTree, known) == 0);
  CHECK(similarity(kTree, kTree) == 1);
  CHECK(similarity(kTree + kLaunch, kTree + kLaunch, known) == 1);
  CHECK(similarity(kTree + kLaunch, kTree + kShuffle, known) == 0);
}

TEST_CASE("code that most of a class has does not count, and two who share more are listed first",
          "[similar]") {
  std::vector<ComparedWork> works;
  for (int i = 0; i < 12; ++i) {
    // A body of its own for each: another sequence of operators.
    std::mt19937 random(static_cast<unsigned>(i));
    const auto any_operator = [&] { return "+-*/%&|^"[random() % 8]; };
    std::string own = "void f(int a, int b, int c) {\n";
    for (int j = 0; j < 24; ++j) {
      own += std::string("  a ") + any_operator() + "= b " + any_operator() + " c;\n";
    }
    works.push_back(work("s" + std::to_string(i), kTree + own + "}\n"));
  }
  works.push_back(work("twin 1", kTree + kShuffle));
  works.push_back(work("twin 2", kTree + replaced(kShuffle, "warp_sum", "add_up")));
  const auto pairs = rank_pairs(works);
  REQUIRE_FALSE(pairs.empty());
  CHECK(pairs[0].a == 12);
  CHECK(pairs[0].b == 13);
  CHECK(pairs[0].similarity() == 1);
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    CHECK(pairs[i].similarity() < 0.5);
  }
}

TEST_CASE("code that many share counts little, and code that most share is not marked",
          "[similar]") {
  std::vector<ComparedWork> works;
  for (int i = 0; i < 12; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    std::string own = "void f(int a, int b, int c) {\n";
    for (int j = 0; j < 24; ++j) {
      own += std::string("  a ") + "+-*/%&|^"[random() % 8] + "= b " + "+-*/%&|^"[random() % 8] +
             " c;\n";
    }
    // All have kTree; five of them, who have nothing else in common, kLaunch.
    works.push_back(work("s" + std::to_string(i), kTree + (i < 5 ? kLaunch : "") + own + "}\n"));
  }
  const std::vector<SimilarPair> all = rank_pairs({works[0], works[1]});
  leave_out_common(works);
  const std::vector<SimilarPair> pairs = rank_pairs(works);
  REQUIRE_FALSE(all.empty());
  for (const SimilarPair& pair : pairs) {
    CHECK(pair.similarity() < 0.3 * all.front().similarity());
  }
  // kTree is written in the first ten lines of both.
  for (const SharedPassage& p : shared_passages(works[0], works[1])) {
    CHECK(works[0].tokens[p.a_end - 1].line > 10);
  }
  // A class of two is too small for weights.
  std::vector<ComparedWork> two = {work("a", kTree), work("b", kTree)};
  leave_out_common(two);
  CHECK(rank_pairs(two).front().similarity() == 1);
}

TEST_CASE("copies are listed with the first of them, and a third submission with that one only",
          "[similar]") {
  std::vector<ComparedWork> works;
  for (const char* student : {"a", "b", "c"}) {
    works.push_back(work(student, kTree + kLaunch));
  }
  works.push_back(work("d", kTree + kShuffle));
  std::vector<SimilarPair> pairs = rank_pairs(works);
  REQUIRE(pairs.size() == 6);
  fold_copies(pairs);
  std::vector<std::pair<std::size_t, std::size_t>> left;
  for (const SimilarPair& pair : pairs) left.emplace_back(pair.a, pair.b);
  CHECK(left == std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {0, 2}, {0, 3}});
}

TEST_CASE("copies are listed if most of a class has them, too", "[similar]") {
  std::vector<ComparedWork> works;
  for (int i = 0; i < 12; ++i) works.push_back(work("copy", kTree + kLaunch));
  for (int i = 0; i < 11; ++i) {
    // A body of its own for each.
    std::mt19937 random(static_cast<unsigned>(i));
    std::string own = "void f(int a, int b, int c) {\n";
    for (int j = 0; j < 24; ++j) {
      own += std::string("  a ") + "+-*/%&|^"[random() % 8] + "= b " + "+-*/%&|^"[random() % 8] +
             " c;\n";
    }
    works.push_back(work("other", own + "}\n"));
  }
  leave_out_common(works);
  std::vector<SimilarPair> pairs = rank_pairs(works);
  fold_copies(pairs);
  REQUIRE(pairs.size() == 11);
  for (const SimilarPair& pair : pairs) CHECK(pair.similarity() == 1);
}

TEST_CASE("passages side by side cover exactly the equal code", "[similar]") {
  const ComparedWork a = work("a", kTree + kLaunch);
  const ComparedWork b = work("b", kShuffle + kTree);
  const auto passages = shared_passages(a, b);
  REQUIRE_FALSE(passages.empty());
  for (const SharedPassage& p : passages) {
    CHECK(a.tokens[p.a_begin].hash == b.tokens[p.b_begin].hash);
    CHECK(a.tokens[p.a_begin].line <= 10);
    CHECK(b.tokens[p.b_begin].line >= 14);
  }
}

TEST_CASE("the page escapes names and sources and needs nothing from outside", "[similar][html]") {
  SimilarLab lab{.lab = "reduction", .works = {}, .pairs = {}};
  lab.works = {work("<b>a", kTree + "// </pre><script>x()</script>\n" + kLaunch),
               work("b\xE2\x80\xAE", kTree + kLaunch + std::string(100000, 'y'))};
  lab.pairs = rank_pairs(lab.works);
  const std::string page = similar_page({lab});
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("&lt;script&gt;x()") != std::string::npos);
  CHECK(page.find("&lt;b&gt;a") != std::string::npos);
  CHECK(page.find("\xE2\x80\xAE") == std::string::npos);
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.size() < 100000);
  CHECK(page.find("class=\"c0\"") != std::string::npos);
}

TEST_CASE("programs of earlier terms are paired with the class, and not with each other",
          "[similar]") {
  std::vector<ComparedWork> all = {work("ada", kTree + kLaunch), work("2024/x.cu", kTree + kLaunch),
                                   work("2025/y.cu", kTree + kLaunch)};
  all[1].earlier = true;
  all[2].earlier = true;
  const std::vector<SimilarPair> pairs = rank_pairs(all);
  REQUIRE(pairs.size() == 2);
  for (const SimilarPair& pair : pairs) CHECK(pair.a == 0);
  all[0].earlier = true;
  CHECK(rank_pairs(all).empty());
}

}  // namespace
}  // namespace warpgrade
