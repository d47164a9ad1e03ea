#include "grader/class/grading/cluster.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>

#include "grader/class/grading/part.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/own_command.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxElements = 1000;  // Slurm's MaxArraySize is 1001 by default
// Large enough to amortise the start of a job; lost if a node fails.
constexpr std::size_t kUsualPart = 8;

/// Our command line with --part added, run by every node.
std::vector<std::string> part_command(const fs::path& folder) {
  std::vector<std::string> words = own_command();
  const auto command = std::find(words.begin(), words.end(), "grade");
  words.insert(command == words.end() ? command : command + 1, {"--part-folder", folder.string()});
  words.emplace_back("--part");
  return words;
}

}  // namespace

std::size_t part_size(std::size_t tasks, std::size_t wanted) {
  const std::size_t least = (tasks + kMaxElements - 1) / kMaxElements;
  return std::max({least, wanted == 0 ? kUsualPart : wanted, std::size_t{1}});
}

void grade_parts(const ClusterWork& work) {
  const fs::path base = fs::absolute(work.options->out) / ".warpgrade" / "slurm";
  std::error_code ignored;
  if (const std::string left = cancel_left_job(base / "run"); !left.empty()) {
    work.note(
        fmt::format("job {} of an earlier run was still active and has been cancelled", left));
  }
  fs::remove_all(base, ignored);
  if (work.tasks.empty()) {
    return;
  }
  const std::size_t size = part_size(work.tasks.size(), work.options->slurm_part_size);
  std::vector<Part> parts;
  for (std::size_t start = 0; start < work.tasks.size(); start += size) {
    Part part{.folder = base / "run",
              .number = parts.size(),
              .compiler = work.compiler,
              .device = work.device,
              .tasks = {}};
    const std::size_t end = std::min(start + size, work.tasks.size());
    part.tasks.assign(work.tasks.begin() + static_cast<std::ptrdiff_t>(start),
                      work.tasks.begin() + static_cast<std::ptrdiff_t>(end));
    write_part(part);
    parts.push_back(std::move(part));
  }
  std::vector<std::vector<bool>> done;
  for (const Part& part : parts) {
    done.emplace_back(part.tasks.size(), false);
  }
  const auto collect = [&](std::size_t number) {
    bool all = true;
    for (std::size_t i = 0; i < parts[number].tasks.size(); ++i) {
      if (done[number][i]) {
        continue;
      }
      if (const std::optional<GradeRow> row = find_part_result(parts[number], i)) {
        done[number][i] = true;
        work.done(*row);
      } else {
        all = false;
      }
    }
    return all;
  };
  SlurmOptions slurm = work.options->slurm;
  const std::vector<std::string> faults =
      run_on_slurm(slurm, {.elements = parts.size(),
                           .command = part_command(base / "run"),
                           .folder = base / "run",
                           .collect = collect,
                           .note = work.note});
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t i = 0; i < parts[p].tasks.size(); ++i) {
      if (!done[p][i]) {
        work.failed(
            p * size + i,
            fmt::format("The cluster did not finish it (job state {} after {} tries; see {}).",
                        faults[p], slurm.tries,
                        (base / "run" / fmt::format("part-{}.log", p)).string()));
      }
    }
  }
  if (std::all_of(faults.begin(), faults.end(), [](const auto& f) { return f.empty(); })) {
    fs::remove_all(base, ignored);
  }
}

}  // namespace warpgrade
