#include "grader/author/model_bench/bench_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "grader/author/check/stage.h"
#include "grader/author/model_bench/rank_correlation.h"
#include "grader/build/compile/build.h"
#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/record/counters/ncu_table.h"
#include "grader/run/gpu_profile/profiler.h"
#include "grader/run/session/lab_session.h"
#include "grader/run/session/open_session.h"
#include "grader/run/worker/worker.h"
#include "harness/case/case.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr double kMicrosecondsAMillisecond = 1e3;
constexpr double kNanosecondsAMicrosecond = 1e3;

/// The emulated card with a GPU's name; empty if there is none.
std::string card_of(const std::string& gpu) {
  for (const auto& [part, card] : {std::pair{"H200", "h200"},
                                   {"H100", "h100"},
                                   {"A100", "a100"},
                                   {"A40", "a40"},
                                   {"T4", "t4"},
                                   {"L4", "l4"},
                                   {"4090", "rtx4090"},
                                   {"3060", "rtx3060"}}) {
    if (gpu.find(part) != std::string::npos) {
      return card;
    }
  }
  return "";
}

/// Builds, runs and times the programs of one lab.
class LabBench {
 public:
  LabBench(const Installation& installation, const Lab& lab,
           std::optional<CompilerRequest> compiler, const std::string& card, bool quick)
      : quick_(quick),
        session_(open_session(installation, lab, {.compiler = compiler})),
        profiler_(on_gpu() ? find_profiler() : fs::path()),
        emulator_(emulator_device(installation)) {
    emulator_.card = !card.empty() ? card
                     : on_gpu()    ? card_of(session_->device().name)
                                   : this->lab().card;
  }

  std::vector<StageBench> run() {
    std::vector<fs::path> files = cu_files(lab().reference / "stages");
    files.push_back(solution_of(lab()));
    std::vector<StageBench> rows(files.size());
    std::vector<std::unique_ptr<Program>> programs(files.size());
    parallel_for(files.size(), available_processors(), [&](std::size_t i) {
      programs[i] = std::make_unique<Program>(files[i], *session_);
      rows[i] = judge(*programs[i]);
    });
    // One after the other, because concurrent work on the GPU would be measured too.
    for (std::size_t i = 0; i < files.size(); ++i) {
      measure(*programs[i], rows[i]);
    }
    return rows;
  }

  [[nodiscard]] const std::string& gpu() const { return session_->device().name; }

 private:
  /// A built stage, and the lab with the stage's precision.
  struct Program {
    Program(const fs::path& source, LabSession& shared) : file(source) {
      if (const std::optional<Lab> variant = lab_of_stage(shared.lab(), source)) {
        own = std::make_unique<LabSession>(shared.installation(), shared.toolchain(),
                                           shared.device(), *variant);
      }
      session = own != nullptr ? own.get() : &shared;
      build = session->build({{.name = file.filename().string(), .text = read_file(file)}},
                             scratch.path() / "build");
    }

    fs::path file;
    ScratchFolder scratch;
    std::unique_ptr<LabSession> own;
    LabSession* session = nullptr;
    BuildResult build;
  };

  [[nodiscard]] const Lab& lab() const { return session_->lab(); }
  [[nodiscard]] bool on_gpu() const { return session_->device().kind == DeviceKind::cuda; }

  /// All cases on the device, and the modelled time of the performance case.
  StageBench judge(Program& program) {
    StageBench row;
    row.lab = lab().id;
    row.stage = program.file.stem().string();
    if (!program.build.ok()) {
      row.problem = "does not build: " + program.build.message;
      return row;
    }
    for (const Case& spec : program.session->lab().cases) {
      if (quick_) break;
      const PreparedCase prepared = prepare(program, spec, session_->device().name);
      (void)run_worker(program.build.program, prepared, session_->device(),
                       program.build.source_folder);
      ++row.cases;
      if (judge_case(prepared, Judging::status).status == CaseStatus::passed) {
        ++row.right;
      } else {
        row.wrong.push_back(spec.name);
      }
      fs::remove_all(prepared.folder);
    }
    const PreparedCase prepared = prepare(program, performance_case(program), "emulator");
    const WorkerRun run =
        run_worker(program.build.program, prepared, emulator_, program.build.source_folder);
    if (run.report) {
      row.modelled_us = run.report->total(kTimeMetric) * kMicrosecondsAMillisecond;
    } else {
      row.problem = "the emulator left no report";
    }
    return row;
  }

  void measure(Program& program, StageBench& row) {
    if (profiler_.empty() || !row.problem.empty()) {
      return;
    }
    const PreparedCase prepared = prepare(program, performance_case(program), "profile");
    const fs::path csv = prepared.folder / "ncu.csv";
    (void)run_worker(program.build.program, prepared, session_->device(),
                     program.build.source_folder,
                     profiler_command(profiler_, {kDurationMetric}, csv));
    const auto launches = fs::exists(csv) ? read_profile(read_file(csv)) : std::nullopt;
    if (!launches) {
      row.problem = "ncu produced no table; does this user have permission to read GPU counters?";
      return;
    }
    double nanoseconds = 0;
    for (const ProfiledLaunch& launch : *launches) {
      const auto it = launch.metrics.find(kDurationMetric);
      nanoseconds += it == launch.metrics.end() ? 0 : it->second;
    }
    row.measured_us = nanoseconds / kNanosecondsAMicrosecond;
  }

  static const Case& performance_case(const Program& program) {
    const Lab& lab = program.session->lab();
    const Case* spec = lab.find_case(lab.performance_case);
    return spec != nullptr ? *spec : lab.cases.front();
  }

  static PreparedCase prepare(Program& program, const Case& spec, const std::string& folder) {
    return prepare_case(program.session->data(spec, Secret{}),
                        program.scratch.path() / ("case-" + folder));
  }

  bool quick_ = false;
  std::unique_ptr<LabSession> session_;
  fs::path profiler_;
  Device emulator_;
};

void print(const std::vector<StageBench>& rows) {
  const auto solution = std::find_if(rows.begin(), rows.end(),
                                     [](const StageBench& r) { return r.stage == "solution"; });
  fmt::print("{}\n  {:<36} {:>7} {:>12} {:>12} {:>9} {:>9} {:>9}\n", rows.front().lab, "stage",
             "right", "modelled us", "measured us", "modelled", "measured", "model");
  fmt::print("  {:<36} {:>7} {:>12} {:>12} {:>9} {:>9} {:>9}\n", "", "", "", "", "/solution",
             "/solution", "/measured");
  for (const StageBench& row : rows) {
    const auto ratio = [](double a, double b) {
      return b > 0 ? fmt::format("{:.2f}", a / b) : std::string("-");
    };
    const bool measured = row.measured_us.has_value() && solution->measured_us.has_value();
    fmt::print("  {:<36} {:>3}/{:<3} {:>12.2f} {:>12} {:>9} {:>9} {:>9}\n", row.stage, row.right,
               row.cases, row.modelled_us,
               row.measured_us ? fmt::format("{:.2f}", *row.measured_us) : "-",
               ratio(row.modelled_us, solution->modelled_us),
               measured ? ratio(*row.measured_us, *solution->measured_us) : "-",
               row.measured_us ? ratio(row.modelled_us, *row.measured_us) : "-");
    if (!row.problem.empty()) {
      fmt::print("    PROBLEM {}\n", row.problem);
    }
    for (const std::string& name : row.wrong) {
      fmt::print("    PROBLEM wrong: case \"{}\"\n", name);
    }
  }
}

/// The model's accuracy: the order of stages, and their ratios.
void print_agreement(const std::string& what, const std::vector<StageBench>& rows) {
  std::vector<double> modelled;
  std::vector<double> measured;
  std::vector<double> ratios;
  for (const StageBench& row : rows) {
    if (row.measured_us && *row.measured_us > 0 && row.modelled_us > 0) {
      modelled.push_back(row.modelled_us);
      measured.push_back(*row.measured_us);
      ratios.push_back(row.modelled_us / *row.measured_us);
    }
  }
  if (ratios.size() < 3) {
    return;
  }
  std::sort(ratios.begin(), ratios.end());
  const auto quantile = [&](double q) {
    return ratios[static_cast<std::size_t>(q * static_cast<double>(ratios.size() - 1))];
  };
  const auto within = [&](double factor) {
    return std::count_if(ratios.begin(), ratios.end(),
                         [&](double r) { return r <= factor && r >= 1 / factor; });
  };
  fmt::print(
      "{}: rank correlation {:.3f} over {} stages; modelled/measured {:.2f} to {:.2f}, "
      "median {:.2f}, quartiles {:.2f} and {:.2f}; within 1.5x {}, within 2x {}\n",
      what, rank_correlation(modelled, measured), ratios.size(), ratios.front(), ratios.back(),
      quantile(0.5), quantile(0.25), quantile(0.75), within(1.5), within(2));
}

nlohmann::json to_json(const std::vector<StageBench>& rows, const std::string& gpu) {
  nlohmann::json stages = nlohmann::json::array();
  for (const StageBench& row : rows) {
    stages.push_back({{"lab", row.lab},
                      {"stage", row.stage},
                      {"cases", row.cases},
                      {"right", row.right},
                      {"wrong", row.wrong},
                      {"problem", row.problem},
                      {"modelled_us", row.modelled_us},
                      {"measured_us", row.measured_us ? nlohmann::json(*row.measured_us)
                                                      : nlohmann::json(nullptr)}});
  }
  return {{"schema", 1}, {"gpu", gpu}, {"stages", std::move(stages)}};
}

}  // namespace

ExitCode bench_labs(const BenchRequest& request) {
  const Installation installation = find_installation();
  const std::vector<std::string> ids = code_labs(installation, request.lab);
  std::vector<StageBench> all;
  std::string gpu;
  for (const std::string& id : ids) {
    LabBench bench(installation, load_code_lab(installation, id), request.compiler, request.card,
                   request.quick);
    gpu = bench.gpu();
    const std::vector<StageBench> rows = bench.run();
    print(rows);
    print_agreement(id, rows);
    std::fflush(stdout);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  if (ids.size() > 1) {
    print_agreement("all labs", all);
  }
  if (!request.json.empty()) {
    write_file_atomically(request.json, to_json(all, gpu).dump(1) + "\n");
  }
  const bool right = std::all_of(all.begin(), all.end(), [](const StageBench& row) {
    return row.problem.empty() && row.right == row.cases;
  });
  return right ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace warpgrade
