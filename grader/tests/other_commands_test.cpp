#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <regex>

#include "grader/build/toolchain/toolchain.h"
#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::shell;
using testing::warpgrade;
namespace {

TEST_CASE("start makes a folder whose Makefile builds, and never overwrites one",
          "[program][start]") {
  const ScratchFolder folder;
  const std::string mine = (folder.path() / "mine").string();
  const ProcessResult result = warpgrade({"start", "vecadd", mine});
  CHECK(result.code == 0);
  for (const char* name : {"vecadd.cu", "vecadd.h", "README.md", "Makefile"}) {
    CHECK(fs::exists(fs::path(mine) / name));
  }
  const ProcessResult made = shell("PATH=$PATH:/usr/local/cuda/bin make", mine);
  INFO(made.out << made.err);
  CHECK(made.ok());
  CHECK(fs::exists(fs::path(mine) / "vecadd.o"));

  CHECK(contains(read_file(fs::path(mine) / "Makefile"), " -std=c++20 "));
  CHECK(contains(read_file(fs::path(mine) / "compile_commands.json"), "\"-std=c++20\""));

  write_file_atomically(fs::path(mine) / "vecadd.cu", "my work");
  const ProcessResult again = warpgrade({"start", "vecadd", mine});
  CHECK(again.code == 2);
  CHECK(contains(again.err, "vecadd.cu already exists; nothing was changed"));
  CHECK(read_file(fs::path(mine) / "vecadd.cu") == "my work");
}

TEST_CASE("explain shows a page by number or by finding, and lists all", "[program][explain]") {
  const ProcessResult page = warpgrade({"explain", "P43"});
  CHECK(page.code == 0);
  CHECK(page.out.starts_with("P43: A copy in the wrong direction\n\nSymptom. The output"));
  CHECK(contains(page.out, "\n    cudaMemcpy(d_c, c, bytes, cudaMemcpyHostToDevice);"));
  CHECK_FALSE(contains(page.out, "**"));
  CHECK_FALSE(contains(page.out, "](P"));
  for (const std::string_view line : split_lines(page.out)) {
    INFO(line);
    CHECK((line.size() <= 80 || line.starts_with("    ")));
  }
  CHECK(warpgrade({"explain", "p43"}).out == page.out);
  CHECK(warpgrade({"explain", "43"}).out == page.out);
  const ProcessResult kind = warpgrade({"explain", "wrong-copy-direction"});
  CHECK(kind.code == 0);
  CHECK(kind.out.starts_with("wrong-copy-direction: "));
  CHECK(kind.out.ends_with(page.out));

  const ProcessResult all = warpgrade({"explain"});
  CHECK(all.code == 0);
  CHECK(all.out.starts_with("P1   Threads without an element are not masked off\nP2   "));
  CHECK(contains(all.out, "\nP86  "));
}

TEST_CASE("explain shows where a word is introduced", "[program][explain]") {
  CHECK(contains(warpgrade({"explain", "sector"}).out, "Coalescing and sectors"));
  CHECK(contains(warpgrade({"explain", "Occupancy"}).out, "Occupancy and latency"));
  CHECK(contains(warpgrade({"explain", "tail"}).out, "What a report says"));
  CHECK(warpgrade({"explain", "sector"}).code == 0);
}

TEST_CASE("explain suggests names similar to an unknown one", "[program][explain]") {
  const auto complaint = [](const char* name) {
    const ProcessResult result = warpgrade({"explain", name});
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(split_lines(result.err).size() == 1);
    return result.err;
  };
  CHECK(contains(complaint("wrong-copy-directon"), "did you mean 'wrong-copy-direction'?"));
  CHECK(contains(complaint("P430"), "there is no page 'P430', did you mean 'P"));
  CHECK(contains(complaint("nonsense"), "`warpgrade explain` lists all, P1 to P86"));
  CHECK_FALSE(contains(complaint("nonsense"), "did you mean"));
}

TEST_CASE("every page can be read in a terminal", "[program][explain]") {
  for (int number = 1; number <= 86; ++number) {
    const std::string id = "P" + std::to_string(number);
    const ProcessResult page = warpgrade({"explain", id});
    INFO(id << page.out << page.err);
    CHECK(page.code == 0);
    CHECK(page.out.starts_with(id + ": "));
    CHECK(contains(page.out, "Symptom."));
    CHECK_FALSE(contains(page.out, "\n\n\n"));
  }
}

TEST_CASE("labs lists points and cases, doctor the tools of this machine", "[program]") {
  const ProcessResult labs = warpgrade({"labs"});
  CHECK(labs.code == 0);
  CHECK(contains(labs.out, "   1  vecadd "));
  CHECK(labs.out.find("vecadd") < labs.out.find("gemm"));  // by week, not by name
  CHECK(labs.out.find("threads") < labs.out.find("gemm"));  // labs of questions, too
  CHECK_FALSE(contains(labs.out, "'after' names"));  // all labs of the project are in order
  CHECK(contains(labs.out, "This machine: "));
  const ProcessResult doctor = warpgrade({"doctor"});
  INFO(doctor.out);
  CHECK(doctor.code == 0);
  CHECK(contains(doctor.out, "ok       emulator"));
  CHECK(contains(doctor.out, " native code "));
}

TEST_CASE("the toolkit of an nvcc that is a script in PATH is found", "[program]") {
  const ScratchFolder folder;
  const fs::path script = folder.path() / "nvcc";
  write_file_atomically(script, "#!/bin/sh\nexec '" + find_nvcc().string() + "' \"$@\"\n");
  fs::permissions(script, fs::perms::owner_all);
  const std::string path = folder.path().string() + ":" + std::getenv("PATH");
  const ProcessResult doctor = warpgrade({"doctor"}, {{"PATH", path}});
  INFO(doctor.out);
  CHECK(doctor.code == 0);
  CHECK(contains(doctor.out, script.string()));
}

TEST_CASE("data writes a visible case's inputs, and names those when it does not know one",
          "[program][data]") {
  const ScratchFolder folder;
  const std::string out = (folder.path() / "data").string();
  CHECK(warpgrade({"data", "vecadd", "--case", "a hundred", "--out", out}).code == 0);
  CHECK(read_file(fs::path(out) / "a.npy").starts_with("\x93NUMPY"));
  CHECK(fs::exists(fs::path(out) / "b.npy"));
  const ProcessResult unknown = warpgrade({"data", "vecadd", "--case", "a hundert", "--out", out});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err,
                 "lab vecadd has no visible case 'a hundert', did you mean 'a hundred'?"));
  const ProcessResult hidden = warpgrade({"data", "vecadd", "--case", "prime", "--out", out});
  CHECK(hidden.code == 2);
  CHECK(contains(hidden.err, "lab vecadd has no visible case 'prime'"));
  CHECK_FALSE(contains(unknown.err, "prime"));
}

TEST_CASE("an invalid lab.toml is reported with its line and exit code 2", "[program][lab]") {
  const ScratchFolder folder;
  for (const char* part : {"labs", "reference", "datasets"}) {
    fs::copy(testing::source_folder() / part, folder.path() / part, fs::copy_options::recursive);
  }
  const fs::path toml = folder.path() / "labs" / "vecadd" / "lab.toml";
  const std::string good = read_file(toml);
  const auto complaint = [&](const std::string& from, const std::string& to) {
    write_file_atomically(toml, replace_all(good, from, to));
    const ProcessResult result =
        warpgrade({"lab", "check", "vecadd"}, {{"WARPGRADE_ROOT", folder.path().string()}});
    CHECK(result.code == 2);
    return result.err;
  };
  CHECK(
      contains(complaint("title = \"Vector addition\"\n", ""), "warpgrade: labs/vecadd/lab.toml"));
  CHECK(contains(complaint("safety = 15", "safety = 14"), "labs/vecadd/lab.toml"));
  CHECK(contains(complaint("schema = 1", "schema = "), "labs/vecadd/lab.toml:1"));
}

TEST_CASE("a folder without labs is exit code 3 and lists where labs were searched for",
          "[program]") {
  const ScratchFolder folder;
  const ProcessResult result = warpgrade({"labs"}, {{"WARPGRADE_ROOT", folder.path().string()}});
  CHECK(result.code == 3);
  CHECK(contains(result.err, "the labs were not found (looked for " + folder.path().string()));
}

TEST_CASE("every command has a page in docs/cli that names every option", "[program][docs]") {
  const fs::path pages = testing::source_folder() / "docs" / "cli";
  const ProcessResult help = warpgrade({"--help"});
  REQUIRE(help.code == 0);
  const std::string list = help.out.substr(help.out.find("Subcommands:"));
  const std::regex command_line("\n  ([a-z-]+) +[A-Z]");
  std::size_t commands = 0;
  for (std::sregex_iterator it(list.begin(), list.end(), command_line), end; it != end; ++it) {
    const std::string command = (*it)[1];
    INFO(command);
    ++commands;
    const std::string page = read_file(pages / (command + ".md"));
    CHECK(contains(read_file(pages / "README.md"), "(" + command + ".md)"));
    const std::string options = warpgrade({command, "--help"}).out;
    const std::regex option("--([a-z-]+)");
    for (std::sregex_iterator o(options.begin(), options.end(), option); o != end; ++o) {
      if ((*o)[1] != "help") {
        CHECK(contains(page, "--" + (*o)[1].str()));
      }
    }
  }
  // Beside the commands' pages there is the overview.
  CHECK(commands + 1 == static_cast<std::size_t>(std::distance(fs::directory_iterator(pages),
                                                               fs::directory_iterator())));
}

}  // namespace
}  // namespace warpgrade
