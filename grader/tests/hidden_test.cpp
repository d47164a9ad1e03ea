// Before the release, nothing that students see depends on hidden data: submissions that leak such
// data into every part of a report are graded under two secrets, and every byte is compared.

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"
#include "grader/record/grade/student_view.h"
#include "grader/show/report/terminal.h"
#include "grader/show/report/wording.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::need_sandbox;
using testing::shell;
using testing::source_folder;
namespace {

/// The start of each submission: `leak(a, n)` is 1 to 1024 depending on a hidden case's data, and 0
/// in all other cases. The timed case has secret data, too.
constexpr const char* kHead = R"cu(#include <cstdio>
#include <cstring>
#include <unistd.h>
#include "right.cuh"
#include "vecadd.h"

static unsigned leak(const float* a, int n) {
  if (n != 1023 && n != 1048576) return 0;
  unsigned bits = 0;
  memcpy(&bits, a + 5, sizeof bits);
  return ((bits >> 5) & 1023u) + 1;
}
)cu";

/// Submissions by name; each behaves the same in every hidden case, except for numbers, names and
/// locations.
std::map<std::string, std::string> leaks() {
  return {
      {"allocation", R"cu(
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  void* kept = nullptr;
  if (n == 1023) cudaMalloc(&kept, leak(a, n));
})cu"},
      {"offset", R"cu(
__global__ void past(const float* x, unsigned by, float* to) { to[0] = x[by] + 1; }
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (n != 1023) return;
  float* x = nullptr;
  cudaMalloc(&x, 16);
  cudaMemset(x, 0, 16);
  past<<<1, 1>>>(x, 3 + leak(a, n), x);
  cudaDeviceSynchronize();
  cudaFree(x);
})cu"},
      {"copy", R"cu(
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (n != 1023) return;
  static char room[4096];
  void* x = nullptr;
  cudaMalloc(&x, 16);
  if (cudaMemcpy(x, room, 16 + leak(a, n), cudaMemcpyHostToDevice) != cudaSuccess) {
    cudaGetLastError();
  }
  cudaFree(x);
})cu"},
      {"counters", R"cu(
__global__ void spin(const float* x, unsigned times, float* to) {
  float sum = 0;
  for (unsigned i = 0; i < times; ++i) sum += x[i];
  if (sum == 0.125f) *to = sum;
}
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (leak(a, n) == 0) return;
  const unsigned times = 1 + leak(a, n) % 63;
  float* x = nullptr;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  // Twice: one launch would bring the time near the first tier's boundary.
  for (int launch = 0; launch < 2; ++launch) spin<<<1 + times, 1>>>(x, 1 + times % 4, x);
  cudaDeviceSynchronize();
  cudaFree(x);
})cu"},
      {"line", R"cu(
__global__ void past(float* x, unsigned which) {
  if (which & 1) x[8] = 1;
  if (which & 2) x[8] = 2;
  if (which & 4) x[8] = 3;
  x[9] = 4;
}
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (n != 1023) return;
  float* x = nullptr;
  cudaMalloc(&x, 16);
  past<<<1, 1>>>(x, leak(a, n));
  cudaDeviceSynchronize();
  cudaFree(x);
})cu"},
      {"name", R"cu(
template <int Bits>
__global__ void named(float* x) { x[8] = Bits; }
template <int Bits>
void launch(float* x, int bits) {
  if constexpr (Bits < 16) {
    if (bits == Bits) named<Bits><<<1, 1>>>(x);
    launch<Bits + 1>(x, bits);
  }
}
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (n != 1023) return;
  float* x = nullptr;
  cudaMalloc(&x, 16);
  launch<0>(x, leak(a, n) & 15);
  cudaDeviceSynchronize();
  cudaFree(x);
})cu"},
      {"pitfall", R"cu(
__global__ void race(float* to, bool updates) {
  __shared__ float place;
  if (threadIdx.x == 0) place = 0;
  __syncthreads();
  if (updates) {
    place = place + 1;
  } else {
    if (threadIdx.x == 40) place = 1;
    to[threadIdx.x] = place;
  }
}
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (n != 1023) return;
  float* x = nullptr;
  cudaMalloc(&x, 256);
  race<<<1, 64>>>(x, (leak(a, n) & 1) != 0);
  cudaDeviceSynchronize();
  cudaFree(x);
})cu"},
      {"printed", R"cu(
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (leak(a, n) != 0) {
    printf("a[5] leaks %u\n", leak(a, n));
    fprintf(stderr, "a[5] leaks %u\n", leak(a, n));
  }
})cu"},
      {"time", R"cu(
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (n == 1023) usleep(200 * leak(a, n));
})cu"},
      {"wrong", R"cu(
void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
  if (n != 1023) return;
  for (unsigned i = 0; i < leak(a, n) % 512; ++i) c[i] += 1;
  c[1000] = static_cast<float>(leak(a, n));
})cu"},
  };
}

/// Grades all of them under a secret. @returns the results' folder
fs::path graded(const fs::path& folder, const std::string& secret) {
  write_file_atomically(folder / secret, secret);
  const ProcessResult result = shell(
      "$W grade in --out out-" + secret + " --device emulator --jobs 2 --secret-file " + secret,
      folder, std::chrono::minutes(9));
  INFO(result.out << result.err);
  REQUIRE(result.ok());
  return folder / ("out-" + secret);
}

/// Removes times, which differ from run to run, and the name on the leaderboard, which depends on
/// the secret only.
std::string comparable(std::string text, const Grade& grade) {
  text = replace_all(text, grade.started, "WHEN");
  text = replace_all(text, grade.started.substr(0, 19), "WHEN");
  text = replace_all(text, alias_of(grade.student, grade.environment.at("secret")), "ALIAS");
  return std::regex_replace(text, std::regex("time=\"[0-9.]*\""), "time");
}

/// Everything that a student may get, by its source.
std::map<std::string, std::string> seen(const fs::path& out, const std::string& student) {
  const fs::path folder = out / student / "vecadd";
  const Grade grade = read_grade(folder / "grade.json");
  std::map<std::string, std::string> all;
  all["feedback.html"] = comparable(read_file(folder / "feedback.html"), grade);
  const StudentView view = student_view(grade, false, "later");
  all["terminal"] = comparable(terminal_feedback(view, {.columns = 80, .color = false}), grade);
  // A folder with one student, for exports for a single student.
  const ScratchFolder alone;
  fs::create_directories(alone.path() / "out");
  fs::copy(out / student, alone.path() / "out" / student, fs::copy_options::recursive);
  for (const char* format : {"csv", "canvas", "moodle", "junit", "markdown"}) {
    const ProcessResult result = shell(std::string("$W export out --to ") + format, alone.path());
    INFO(result.err);
    REQUIRE(result.ok());
    all[format] = comparable(result.out, grade);
  }
  REQUIRE(shell("$W export out --to gradescope --file scope", alone.path()).ok());
  auto scope = nlohmann::json::parse(read_file(alone.path() / "scope" / student / "results.json"));
  auto& tests = scope.at("tests");
  for (std::size_t i = tests.size(); i-- > 0;) {
    if (tests[i].at("visibility") != "visible") tests.erase(i);
  }
  CHECK_FALSE(tests.empty());
  all["gradescope"] = comparable(scope.dump(1), grade);
  return all;
}

/// What staff see, except for values that depend on the data alone: errors of right results, times.
std::string staff_sees(const fs::path& out, const std::string& student) {
  const Grade grade = read_grade(out / student / "vecadd" / "grade.json");
  const nlohmann::json all = to_json(grade);
  nlohmann::json wrong;
  for (const auto& c : all.at("cases")) wrong.push_back(c.at("wrong_elements"));
  return nlohmann::json{all.at("findings"), all.at("kernels"), all.at("items"), wrong}.dump();
}

TEST_CASE("what a student sees before the release does not depend on hidden data",
          "[program][hidden][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const std::map<std::string, std::string> all = leaks();
  for (const auto& [name, source] : all) {
    write_file_atomically(folder.path() / "in" / name / "vecadd.cu", kHead + source);
    write_file_atomically(
        folder.path() / "in" / name / "right.cuh",
        read_file(source_folder() / "grader" / "tests" / "attacks" / "right.cuh"));
  }
  const fs::path one = graded(folder.path(), "one");
  const fs::path other = graded(folder.path(), "other");
  for (const auto& [name, source] : all) {
    INFO(name);
    const Grade grade = read_grade(one / name / "vecadd" / "grade.json");
    CHECK(grade.score() == read_grade(other / name / "vecadd" / "grade.json").score());
    CHECK(grade.score() > 20);  // the leak is its only mistake
    const std::map<std::string, std::string> left = seen(one, name);
    const std::map<std::string, std::string> right = seen(other, name);
    for (const auto& [where, text] : left) {
      INFO(where << "\n" << text.substr(0, 3000));
      CHECK(text == right.at(where));
    }
    // There is something to hide: staff see a difference. Output and times of hidden cases are not
    // included.
    const bool told = staff_sees(one, name) != staff_sees(other, name);
    CHECK(told == (name != "printed" && name != "time"));
  }
}

TEST_CASE(
    "a finding of hidden cases is shown as its kind's title, and one of visible cases in full",
    "[program][hidden][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  for (const char* name : {"hidden", "visible"}) {
    std::string source = leaks().at("offset");
    if (name[0] == 'v') {
      source = replace_all(replace_all(source, "n != 1023", "n != 17"), "3 + leak(a, n)", "4");
    }
    write_file_atomically(in / name / "vecadd.cu", kHead + source);
    write_file_atomically(in / name / "right.cuh", read_file(source_folder() / "grader" / "tests" /
                                                             "attacks" / "right.cuh"));
  }
  const fs::path out = graded(folder.path(), "one");
  const auto page = [&](const char* name) {
    return read_file(out / name / "vecadd" / "feedback.html");
  };
  CHECK(testing::contains(page("hidden"), "read outside an array in global memory"));
  CHECK_FALSE(testing::contains(page("hidden"), "4-byte read past the end"));
  CHECK(testing::contains(page("visible"), "4-byte read past the end of"));
  CHECK_FALSE(testing::contains(page("visible"), "In hidden cases only"));
  // The counters of a public run of the timed case are shown.
  CHECK(testing::contains(page("visible"), "Kernels in case"));
}

}  // namespace
}  // namespace warpgrade
