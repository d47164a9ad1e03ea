#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// Runs tests/cuda/forward_progress.cu with several seeds and numbers of host threads:
//
//   schedule_test <warpsim> <forward_progress> <folder for reports>

namespace {

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("not so: %s\n", what.c_str());
}

struct Outcome {
  int status = 0;
  std::string out;
  std::string report;
};

std::string slurp(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class Program {
 public:
  Program(std::string warpsim, std::string program, std::string folder)
      : warpsim_(std::move(warpsim)), program_(std::move(program)), folder_(std::move(folder)) {}

  [[nodiscard]] Outcome run(unsigned seed, unsigned threads, const char* argument) const {
    const std::string report = folder_ + "/report.json";
    const std::string out = folder_ + "/out.txt";
    std::filesystem::remove(report);
    std::vector<std::string> command = {warpsim_,
                                        "--seed",
                                        std::to_string(seed),
                                        "--threads",
                                        std::to_string(threads),
                                        "--json",
                                        report,
                                        "--",
                                        program_};
    if (argument != nullptr) command.emplace_back(argument);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen(out.c_str(), "w", stdout) == nullptr) _exit(126);
      std::vector<char*> words;
      for (std::string& word : command) words.push_back(word.data());
      words.push_back(nullptr);
      execv(words[0], words.data());
      _exit(127);
    }
    Outcome outcome;
    waitpid(child, &outcome.status, 0);
    outcome.out = slurp(out);
    outcome.report = slurp(report);
    expect(!outcome.report.empty(), "a report was written");
    return outcome;
  }

 private:
  std::string warpsim_, program_, folder_;
};

/// Output, counters and findings do not depend on the number of host threads.
void repeats(const Program& program, unsigned seed, const char* argument) {
  const Outcome first = program.run(seed, 1, argument);
  expect(first.status == 0, fmt::format("seed {} passes", seed));
  for (const unsigned threads : {2u, 4u}) {
    const Outcome other = program.run(seed, threads, argument);
    expect(other.status == 0, fmt::format("seed {} passes with {} threads", seed, threads));
    expect(other.out == first.out,
           fmt::format("seed {}: {} threads print the same", seed, threads));
    expect(other.report == first.report,
           fmt::format("seed {}: {} threads report the same", seed, threads));
  }
}

void varies(const Program& program) {
  std::set<std::string> sums, orders;
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Outcome outcome = program.run(seed, 2, "order");
    const std::size_t line = outcome.out.find('\n');
    sums.insert(outcome.out.substr(0, line));
    orders.insert(outcome.out.substr(line));
    // A program that does not depend on the order passes with every seed.
    expect(program.run(seed, 2, nullptr).status == 0, fmt::format("seed {} passes", seed));
  }
  expect(sums.size() > 1, "a float sum depends on the seed");
  expect(orders.size() == 6, "each seed has an order of its own");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const Program program(argv[1], argv[2], argv[3]);
  repeats(program, 0, nullptr);
  repeats(program, 0, "order");
  repeats(program, 3, "order");
  varies(program);
  if (failures == 0) std::printf("ok\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
