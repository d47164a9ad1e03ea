// Writes the pages that the browser tests look at: report_pages <sources> <folder>. The
// grades are made up here, so that no emulator has to run for minutes first.
#include <fmt/core.h>

#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "grader/class/page/class_page.h"
#include "grader/class/term/term_page.h"
#include "grader/core/files.h"
#include "grader/core/instant.h"
#include "grader/judge/rubric/score.h"
#include "grader/show/report/feedback_page.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::right_evidence;
using testing::test_lab;

constexpr int kStudents = 2000;
constexpr int kTimed = 400;

constexpr const char* kSource = R"(#include "vecadd.h"

/* A comment
   of two lines. */
__global__ void add(const float* a, const float* b, float* c, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = a[i];
  c[i] = tile[255 - threadIdx.x] + b[i];  // "reversed"
}

void vecadd(const float* a, const float* b, float* c, int n) {
  add<<<n / 256, 256>>>(a, b, c, n);
}
)";

Grade base_grade(const Lab& lab, const Evidence& evidence) {
  Grade grade;
  grade.lab = lab.id;
  grade.lab_title = lab.title;
  grade.student = "s01";
  grade.started = "2026-11-21T09:30:00Z";
  grade.device = {.kind = "emulator", .name = "NVIDIA A100-SXM4-40GB (emulated)"};
  grade.environment = {
      {"warpgrade", "0.2.0"}, {"compiler", "nvcc 13.0"}, {"secret", "0123456789ab"}};
  grade.items = score_items(evidence);
  for (const CaseOutcome& c : evidence.cases) {
    grade.cases.push_back(c.report);
  }
  grade.findings = evidence.findings;
  grade.kernels_case = "large";
  grade.kernels = evidence.cases[1].emulator->kernels;
  grade.kernels[0].lines = {
      {.file = "vecadd.cu",
       .line = 8,
       .counters = {{"smsp__inst_executed.sum", 96},
                    {"smsp__thread_inst_executed.sum", 3072},
                    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 32},
                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1024}}},
      {.file = "vecadd.cu",
       .line = 9,
       .counters = {{"smsp__inst_executed.sum", 320},
                    {"smsp__thread_inst_executed.sum", 9000},
                    {"branches", 32},
                    {"smsp__sass_branch_targets_threads_divergent.sum", 4},
                    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 64},
                    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 32}}}};
  grade.sources = {{.name = "vecadd.cu", .text = kSource}};
  grade.timing = Timing{.name = "large",
                        .source = "modelled",
                        .submission_ms = 0.018,
                        .reference_ms = 0.01,
                        .ratio = 1.8,
                        .tiers = {{.ratio = 1.25, .points = 15}, {.ratio = 2, .points = 5}},
                        .roofline = Roofline{.operation = RoofOperation::flop,
                                             .operations_per_second = 19.5e12,
                                             .bytes_per_second = 1.555e12,
                                             .submission = {1e6, 12e6, 0.018, 0.0077},
                                             .reference = {1e6, 12e6, 0.01, 0.0077}}};
  grade.timing->roofline->roofs = {{.type = "f32", .operations_per_second = 19.5e12},
                                   {.type = "tensor", .operations_per_second = 312e12}};
  for (std::size_t i = 1; i <= 4; ++i) {
    grade.timing->roofline->rungs.push_back(
        {.rung = i,
         .title = "Stage with a title of usual length",
         .point = {1e6, 30e6 / double(i), 0.04 / double(i), 0.0193 / double(i)}});
  }
  grade.rung = RungReport{.index = 2,
                          .count = 4,
                          .stage = "02",
                          .title = "Grid-stride loop",
                          .next_title = "Four at a time",
                          .next = "A quarter of the load instructions."};
  grade.summary = "Right, and as fast as it gets.";
  return grade;
}

StudentView shown(const Grade& grade) {
  return student_view(grade, true, "");
}

/// Three attempts; the grade is the last one's.
std::vector<Attempt> attempts_of(const Grade& grade) {
  Attempt attempt = attempt_of(shown(grade));
  std::vector<Attempt> attempts(3, attempt);
  attempts[0].score = 5;
  attempts[1].has_score = false;
  attempts[2].penalty = 3.5;
  attempts[2].counts = true;
  for (int i = 0; i < 3; ++i) {
    attempts[static_cast<std::size_t>(i)].number = i + 1;
  }
  return attempts;
}

/// A grade from a GPU, with each run's time.
Grade measured_grade(const Lab& lab) {
  Grade grade = base_grade(lab, right_evidence(lab));
  MeasuredRuns runs{.submission_ms = {}, .reference_ms = {}, .ratio_low = 1.74, .ratio_high = 1.88};
  for (int i = 0; i < 60; ++i) {
    runs.submission_ms.push_back(0.018 * (1 + (i * 37 % 60) / 400.0));
    runs.reference_ms.push_back(0.01 * (1 + (i * 23 % 60) / 600.0));
  }
  grade.timing->source = "measured";
  grade.timing->runs = runs;
  grade.timing->roofline->counted_by = CountSource::ncu;
  grade.timing->roofline->limits = LimitSource::measured;
  KernelReport counted = grade.kernels[0];
  counted.counters["gpu__time_duration.sum"] = 18000;
  grade.profile = CardProfile{
      .runs = {{.tool = "ncu", .name = "large", .end = ToolEnd::done, .message = "1 launch."},
               {.tool = "memcheck", .name = "small", .end = ToolEnd::done, .message = "1 finding."},
               {.tool = "racecheck",
                .name = "small",
                .end = ToolEnd::out_of_time,
                .message = "It ran longer than 120 s and was stopped."}},
      .counts = {{.program = "submission", .name = "large", .shape = {}, .kernels = {counted}}},
      .findings = {{.tool = "memcheck",
                    .kind = "access",
                    .message = "Invalid __global__ read of size 4 bytes",
                    .kernel = "add",
                    .file = "vecadd.cu",
                    .line = 8,
                    .who = "thread (32,0,0) in block (3,0,0)",
                    .count = 2}}};
  return grade;
}

/// Work without floats.
Grade bytes_grade(const Lab& lab) {
  Grade grade = base_grade(lab, right_evidence(lab));
  grade.timing->roofline->operation = RoofOperation::instruction;
  grade.timing->roofline->roofs.clear();
  return grade;
}

Grade wrong_grade(const Lab& lab) {
  Evidence evidence = right_evidence(lab);
  testing::make_wrong(evidence, 0, "tail", 96, 12345, 54321);
  testing::make_wrong(evidence, 1, "scattered", 0, 1, 2);
  std::vector<bool> right(1000);
  for (std::size_t i = 0; i < right.size(); ++i) {
    right[i] = i % 3 == 0;
  }
  const std::uint64_t shape[] = {20, 50};
  evidence.cases[1].report.wrong_map = map_wrong("c", right, shape);
  right.resize(100);
  const std::uint64_t flat[] = {100};
  evidence.cases[0].report.wrong_map = map_wrong("c", right, flat);
  testing::add_finding(evidence, "race-shared", "error");
  ReportedFinding& race = evidence.findings[0];
  race.line = 9;
  race.pitfall = "P22";
  race.where = "vecadd.cu:9: ld.shared.f32 %f1, [%r9]";
  race.who =
      "block (0,0,0) thread (0,2,0), warp 1 lane 0 reads; block (0,0,0) thread (0,0,0), warp 0 "
      "lane 0 writes";
  race.got =
      "byte offset 0 of shared array `tile`; the other access: vecadd.cu:8: st.shared.f32 [%r7], "
      "%f61";
  Grade grade = base_grade(lab, evidence);
  grade.summary = "Put a barrier between the store to `tile` and the loads of it.";
  grade.pitfall = "P22";
  return grade;
}

/// A line that both reads and writes out of bounds, a very long line of code, integers, and a
/// second case that is more informative than the first.
Grade corner_grade(Lab lab) {
  lab.cases[0].points = 45;
  lab.cases[1].points = 5;
  lab.performance_case = "small";
  Evidence evidence = right_evidence(lab);
  evidence.references["small"] = evidence.references["large"];
  evidence.cases[0].emulator->kernels[0].counters["modelled_ms"] = 1.9;
  testing::make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  for (const char* kind : {"oob-global-write", "oob-global-read"}) {
    testing::add_finding(evidence, kind, "error");
    ReportedFinding& f = evidence.findings.back();
    f.line = 8;
    f.kernel = "add";
    f.who = "block (3,0,0) thread (232,0,0), warp 7 lane 8; first of 24 lanes";
    f.got = "byte offset 4000 (element 1000 of 4 bytes)";
    f.cases = {"large"};
  }
  Grade grade = base_grade(lab, evidence);
  CaseReport vague = grade.cases[1];  // precedes the more informative one
  vague.name = "less";
  vague.pattern = "everything";
  vague.wrong_elements = vague.elements;
  grade.cases.insert(grade.cases.begin(), vague);
  grade.findings[0].where = "vecadd.cu:8: st.global.f32 [%rd10], %f3";
  const std::string code = grade.sources[0].text;
  const std::size_t line = code.find("  tile[threadIdx.x] = a[i];");
  grade.sources[0].text =
      code.substr(0, line) +
      "  c[i + (i >= n ? 0 : 1)] += static_cast<float>(a[i + (i >= n ? 0 : 1)] "
      "* b[i] + a_name_that_is_long_enough_to_fill_a_line_alone[threadIdx.x]);" +
      code.substr(code.find('\n', line));
  grade.summary = "Compare the index with the number of elements before the access.";
  grade.pitfall = "P1";
  return grade;
}

Grade hostile_grade(const Lab& lab) {
  Grade grade = wrong_grade(lab);
  const std::string attack =
      "</script></style><script>document.title='owned'</script><img src=x onerror=alert(1)>"
      "{{summary}} \xe2\x80\xae"
      "drow \xff\xfe & \" '";
  grade.student = attack;
  grade.summary = attack;
  grade.build_log = attack + std::string(1 << 20, 'b');
  grade.output = std::string(1 << 20, 'x') + attack;
  grade.sources = {{.name = "vecadd.cu", .text = attack + "\n/* " + std::string(1 << 20, 'a')},
                   {.name = attack, .text = std::string(200'000, '\n') + attack}};
  for (int i = 0; i < 300; ++i) {
    ReportedFinding finding = grade.findings[0];
    finding.message = attack + std::string(10'000, 'm');
    finding.kernel = attack;
    finding.who = attack;
    finding.line = 1;
    grade.findings.push_back(finding);
  }
  for (CaseReport& c : grade.cases) {
    c.message = attack;
  }
  for (std::uint32_t line = 1; line < 2000; ++line) {
    grade.kernels[0].lines.push_back(grade.kernels[0].lines[0]);
    grade.kernels[0].lines.back().line = line;
  }
  grade.kernels[0].name = attack;
  grade.environment["compiler"] = attack;
  return grade;
}

Gradebook large_class(const Lab& lab) {
  Gradebook book;
  Grade right = base_grade(lab, right_evidence(lab));
  const Grade wrong = wrong_grade(lab);
  for (int i = 0; i < kStudents; ++i) {
    Grade grade = i % 3 == 0 ? wrong : right;
    grade.student = fmt::format("student{:04}", i);
    grade.lab = i % 2 == 0 ? "vecadd" : "reduction";
    grade.timing->ratio = 1 + (i * 7 % 100) / 50.0;
    if (i == 5) {
      grade.integrity = {{.kind = "ended-early", .message = "It left early.", .evidence = ""}};
    }
    if (i == 7) {
      grade.status = GradeStatus::error;
    }
    book.rows.push_back(row_of(grade));
  }
  GradeRow hostile = row_of(hostile_grade(lab));
  hostile.flags = {hostile.summary};
  book.rows.push_back(hostile);
  return book;
}

/// Forty students of a course with two labs: some late, one with nothing that can be graded, one
/// without a submission.
std::pair<Gradebook, ClassRecord> course_class(const Lab& lab) {
  Gradebook book;
  ClassRecord record;
  record.course.file = "course.toml";
  record.course.title = "Parallel programming, autumn";
  record.course.pass = 50;
  record.course.late.per_day = 10;
  std::string problem;
  for (const char* id : {"vecadd", "reduction"}) {
    record.course.labs[id].due = parse_instant("2026-11-20T00:00:00Z", problem);
  }
  const Grade right = base_grade(lab, right_evidence(lab));
  const Grade wrong = wrong_grade(lab);
  for (int i = 0; i < 41; ++i) {
    RosterEntry entry;
    entry.student = fmt::format("s{:03}", i);
    entry.name = fmt::format("Family{:03}, Given", i);
    record.course.roster.entries.push_back(entry);
    if (i == 40) continue;  // no submission
    for (const char* id : {"vecadd", "reduction"}) {
      Grade grade = i % 3 == 0 ? wrong : right;
      grade.student = entry.student;
      grade.lab = id;
      grade.lab_title = id == std::string_view("vecadd") ? "Vector addition" : "Reduction";
      if (i == 4 && grade.lab == "vecadd") grade.pitfall = "P1";
      GradeRow row = row_of(grade);
      if (i == 5 && grade.lab == "vecadd") {
        row.failure = Failure::no_submission;
        row.score = 0;
        row.passed = false;
        row.summary = "no vecadd.cu was submitted";
      }
      book.rows.push_back(row);
      SubmissionRecord came;
      came.student = entry.student;
      came.lab = id;
      came.source = TimeSource::table;
      came.submitted =
          parse_instant(i % 4 == 1 ? "2026-11-21T12:00:00Z" : "2026-11-19T12:00:00Z", problem);
      record.log.add(came);
    }
  }
  book.sort();
  return {std::move(book), std::move(record)};
}

/// Two years of a course with three labs.
Term two_years() {
  Term term;
  std::string problem;
  const auto at = [&](const char* text) { return parse_instant(text, problem); };
  for (const char* year : {"2025", "2026"}) {
    for (const char* id : {"vecadd", "reduction", "gemm"}) {
      term.labs.push_back({.run = fmt::format("{}-{}", year, id),
                           .lab = id,
                           .title = id == std::string_view("gemm") ? "Matrix multiplication" : id,
                           .first = at("2026-11-02T10:00:00Z"),
                           .last = at("2026-11-13T22:00:00Z"),
                           .students = 60,
                           .scored = 58,
                           .full = 20,
                           .attempts = 150,
                           .mean = 71});
    }
  }
  term.items = {
      {.lab = "gemm", .item = "safety/races", .grades = 116, .full = 116, .mean = 100},
      {.lab = "gemm", .item = "performance/tiers", .grades = 116, .none = 110, .mean = 3}};
  term.pitfalls = {{"P1", 40}, {"P22", 17}, {"P41", 3}};
  term.progress["gemm"] = {.hints = {.named = 80, .followed = 52},
                           .attempts = {2, 4, 9},
                           .hours = {2, 30, 71.5},
                           .pitfalls = {}};
  for (const char* monday : {"2026-11-02T00:00:00Z", "2026-11-09T00:00:00Z"}) {
    term.weeks.push_back({.monday = *at(monday), .submissions = 120, .mean = 64});
  }
  return term;
}

int write_pages(const fs::path& folder, const Installation& installation) {
  const Lab lab = test_lab();
  const auto write = [&](const char* name, const std::string& page) {
    write_file_atomically(folder / name, page);
  };
  write("right.html", feedback_page(shown(base_grade(lab, right_evidence(lab))), {}, installation));
  const Grade wrong = wrong_grade(lab);
  write("wrong.html", feedback_page(shown(wrong), attempts_of(wrong), installation));
  write("hostile.html",
        feedback_page(shown(hostile_grade(lab)), attempts_of(hostile_grade(lab)), installation));
  write("corner.html", feedback_page(shown(corner_grade(lab)), {}, installation));
  write("measured.html", feedback_page(shown(measured_grade(lab)), {}, installation));
  write("bytes.html", feedback_page(shown(bytes_grade(lab)), {}, installation));
  Gradebook small;
  small.rows = {row_of(wrong), row_of(hostile_grade(lab))};
  small.rows[1].flags = {"It left early."};
  write("class_small.html", class_page(small, {}, installation));
  const auto [course_book, course_record] = course_class(lab);
  write("class_course.html", class_page(course_book, course_record, installation));
  write("term.html", term_page(two_years(), "Parallel programming", installation));
  write("class_large.html", class_page(large_class(lab), {}, installation));
  const std::clock_t start = std::clock();  // processor time: other work must not count
  std::size_t bytes = 0;
  for (int i = 0; i < kTimed; ++i) {
    bytes += feedback_page(shown(wrong), attempts_of(wrong), installation).size();
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{{\"pages\": {}, \"seconds\": {:.2f}, \"bytes\": {}}}\n", kTimed, seconds,
             bytes / kTimed);
  return 0;
}

}  // namespace
}  // namespace warpgrade

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: report_pages <sources> <folder>\n");
    return 2;
  }
  return warpgrade::write_pages(argv[2], {.root = argv[1]});
}
