#include "grader/class/slurm/slurm.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/interrupt.h"
#include "grader/core/text.h"
#include "grader/process/attached.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
namespace {

/// A tool's output of several lines, for the middle of a sentence.
std::string joined_lines(std::string_view text) {
  std::string line;
  for (const std::string_view part : split_lines(text)) {
    if (!part.empty()) {
      line += (line.empty() ? "" : "; ") + std::string(part);
    }
  }
  return line;
}

constexpr std::chrono::milliseconds kFirstPoll{500};
constexpr std::chrono::milliseconds kLastPoll{10'000};
// Time without an answer from the controller until we give up.
constexpr std::chrono::minutes kSilence{10};
/// Results may become visible on this node after the controller reports the element's end.
constexpr std::chrono::seconds kSettle{5};

/// A Slurm command with our whole environment, which identifies the cluster (SLURM_CONF, ...).
ProcessResult slurm(std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.environment = whole_environment();
  spec.limits.wall = std::chrono::seconds(60);
  spec.limits.output_bytes = std::size_t{16} << 20;
  return run_process(spec);
}

/// scancel, also while we are being interrupted.
void cancel(const std::string& job) {
  try {
    AttachedProcess({"scancel", job}).wait();
  } catch (const EnvironmentError&) {
    // Without it the job ends at its own limit.
  }
}

std::string shell_quoted(const std::string& word) {
  return "'" + replace_all(word, "'", "'\\''") + "'";
}

bool is_running(std::string_view state) {
  static constexpr const char* kLive[] = {"PENDING",   "RUNNING",  "CONFIGURING",  "COMPLETING",
                                          "SUSPENDED", "REQUEUED", "REQUEUE_HOLD", "SIGNALING",
                                          "STAGE_OUT", "RESIZING", "STOPPED"};
  return std::any_of(std::begin(kLive), std::end(kLive),
                     [&](const char* live) { return state == live; });
}

struct ElementState {
  std::string state;  // "RUNNING", "NODE_FAIL", ...
  std::string reason;
};

/// The elements of a job that the controller still knows; nothing when it does not answer.
std::optional<std::map<std::size_t, ElementState>> query(const std::string& job) {
  const ProcessResult answer = slurm(
      {"squeue", "--noheader", "--array", "--states=all", "--jobs", job, "--format=%K|%T|%r"});
  std::map<std::size_t, ElementState> states;
  if (!answer.ok()) {
    // The controller forgets jobs that ended long ago.
    return answer.err.find("Invalid job id") != std::string::npos ? std::optional(states)
                                                                  : std::nullopt;
  }
  for (const std::string_view line : split_lines(answer.out)) {
    const std::size_t first = line.find('|');
    const std::size_t second = line.find('|', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
      continue;
    }
    try {
      states[std::stoul(std::string(line.substr(0, first)))] = {
          std::string(line.substr(first + 1, second - first - 1)),
          std::string(line.substr(second + 1))};
    } catch (const std::exception&) {
      continue;  // not a line about an element, such as a banner
    }
  }
  return states;
}

class ArrayRun {
 public:
  ArrayRun(const SlurmOptions& options, const SlurmWork& work)
      : options_(options), work_(work), failures_(work.elements) {}

  std::vector<std::string> run() {
    std::vector<std::size_t> open(work_.elements);
    std::iota(open.begin(), open.end(), std::size_t{0});
    for (int attempt = 1; attempt <= options_.tries; ++attempt) {
      submit(open);
      try {
        watch(open);
      } catch (...) {
        cancel(job_);
        forget();
        throw;
      }
      forget();
      if (open.empty()) {
        break;
      }
      if (attempt < options_.tries) {
        work_.note(
            fmt::format("{} of {} parts ended with missing results (part {}: {}); resubmitted",
                        open.size(), work_.elements, open.front(), failures_[open.front()]));
      }
    }
    return failures_;
  }

 private:
  [[nodiscard]] fs::path job_file() const { return work_.folder / "job"; }

  void submit(const std::vector<std::size_t>& elements) {
    std::string words;
    for (const std::string& word : work_.command) {
      words += shell_quoted(word) + " ";
    }
    const fs::path script = work_.folder / "part.sh";
    write_file_atomically(script,
                          fmt::format("#!/bin/sh\nexec {}\"$SLURM_ARRAY_TASK_ID\"\n", words));
    std::string array = index_ranges(elements);
    if (options_.at_once > 0) {
      array += fmt::format("%{}", options_.at_once);
    }
    std::vector<std::string> argv = {"sbatch",
                                     "--parsable",
                                     "--job-name=warpgrade",
                                     "--array=" + array,
                                     fmt::format("--cpus-per-task={}", options_.processors),
                                     "--output=" + (work_.folder / "part-%a.log").string(),
                                     "--open-mode=append"};
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) {
        argv.push_back(fmt::format("--{}={}", name, value));
      }
    };
    add("partition", options_.partition);
    add("gres", options_.gres);
    add("time", options_.time);
    argv.insert(argv.end(), options_.extra.begin(), options_.extra.end());
    argv.push_back(script.string());
    const ProcessResult result = slurm(std::move(argv));
    if (result.end == ProcessEnd::not_started) {
      throw EnvironmentError(
          "sbatch was not found; run this on a cluster node that can submit jobs, or without "
          "--executor slurm");
    }
    job_ = result.out.substr(0, result.out.find_first_of(";\n"));
    if (!result.ok() || job_.empty()) {
      throw EnvironmentError(fmt::format(
          "sbatch rejected the job: {}; see --slurm-partition, --slurm-gres and --slurm-time",
          printable(result.err.empty() ? describe_end(result, {}) : joined_lines(result.err))));
    }
    write_file_atomically(job_file(), job_ + "\n");
    work_.note(fmt::format("job {}: {} parts submitted", job_, elements.size()));
  }

  void forget() const {
    std::error_code ignored;
    fs::remove(job_file(), ignored);
  }

  /// Until every element has ended; takes those with all their results out of `open`.
  void watch(std::vector<std::size_t>& open) {
    std::chrono::milliseconds pause = kFirstPoll;
    Clock::time_point heard = Clock::now();
    std::map<std::size_t, Clock::time_point> ended;
    std::string reason;
    while (!open.empty()) {
      sleep(pause);
      const auto states = query(job_);
      if (states) {
        heard = Clock::now();
        tell_reason(*states, reason);
      } else if (Clock::now() - heard > kSilence) {
        throw EnvironmentError(
            fmt::format("the cluster's controller has not responded for {} minutes; run the same "
                        "command with --resume when it does",
                        kSilence.count()));
      }
      const std::size_t before = open.size();
      std::erase_if(open, [&](std::size_t i) {
        const bool done = work_.collect(i);
        if (done) {
          failures_[i].clear();
        }
        return done;
      });
      pause = open.size() < before ? kFirstPoll : std::min(pause * 2, kLastPoll);
      if (states && all_ended(*states, open, ended)) {
        return;
      }
    }
  }

  bool all_ended(const std::map<std::size_t, ElementState>& states,
                 const std::vector<std::size_t>& open,
                 std::map<std::size_t, Clock::time_point>& ended) {
    bool all = true;
    for (const std::size_t i : open) {
      const auto it = states.find(i);
      if (it != states.end() && is_running(it->second.state)) {
        ended.erase(i);  // requeued by the cluster itself
        all = false;
        continue;
      }
      failures_[i] = it == states.end() ? "unknown to the cluster" : it->second.state;
      const auto [when, first] = ended.emplace(i, Clock::now());
      all = all && !first && Clock::now() - when->second > kSettle;
    }
    return all;
  }

  /// Reports why nothing runs, once per reason: "Resources", "PartitionTimeLimit".
  void tell_reason(const std::map<std::size_t, ElementState>& states, std::string& last) const {
    std::string now;
    for (const auto& [i, s] : states) {
      if (s.state != "PENDING") {
        return;
      }
      now = s.reason;
    }
    if (now != last && !now.empty() && now != "None") {
      work_.note(fmt::format("job {}: waits ({})", job_, now));
      last = now;
    }
  }

  static void sleep(std::chrono::milliseconds time) {
    for (const Clock::time_point end = Clock::now() + time; Clock::now() < end;) {
      stop_if_interrupted();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  const SlurmOptions& options_;
  const SlurmWork& work_;
  std::string job_;
  std::vector<std::string> failures_;
};

}  // namespace

std::vector<std::string> run_on_slurm(const SlurmOptions& options, const SlurmWork& work) {
  return ArrayRun(options, work).run();
}

std::string cancel_left_job(const fs::path& folder) {
  const fs::path file = folder / "job";
  std::error_code error;
  if (!fs::exists(file, error)) {
    return {};
  }
  std::string job = read_file(file);
  job.erase(std::remove(job.begin(), job.end(), '\n'), job.end());
  cancel(job);
  const Clock::time_point started = Clock::now();
  while (Clock::now() - started < kSilence) {
    const auto states = query(job);
    if (states && std::none_of(states->begin(), states->end(),
                               [](const auto& s) { return is_running(s.second.state); })) {
      break;
    }
    stop_if_interrupted();
    std::this_thread::sleep_for(kFirstPoll);
  }
  fs::remove(file, error);
  return job;
}

std::string index_ranges(const std::vector<std::size_t>& sorted) {
  std::string text;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end + 1 < sorted.size() && sorted[end + 1] == sorted[end] + 1) {
      ++end;
    }
    text += fmt::format("{}{}", text.empty() ? "" : ",", sorted[i]);
    if (end > i) {
      text += fmt::format("-{}", sorted[end]);
    }
    i = end + 1;
  }
  return text;
}

}  // namespace warpgrade
