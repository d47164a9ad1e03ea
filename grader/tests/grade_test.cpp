#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::right_source;
using testing::shell;
using testing::warpgrade;
namespace {

constexpr const char* kEmpty = "#include \"vecadd.h\"\n";

nlohmann::json grade_of(const fs::path& out, const std::string& student) {
  return nlohmann::json::parse(read_file(out / student / "vecadd" / "grade.json"));
}

TEST_CASE("a class of folders and archives is graded, each student separately",
          "[program][grade][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  const fs::path out = folder.path() / "out";
  write_file_atomically(in / "right" / "vecadd.cu", right_source());
  write_file_atomically(in / "parts" / "vecadd" / "main.cu",
                        "#include \"part.cuh\"\n" + right_source());
  write_file_atomically(in / "parts" / "vecadd" / "part.cuh", "// nothing\n");
  write_file_atomically(in / "empty" / "vecadd.cu", "");
  write_file_atomically(in / "nothing" / "notes.txt", "sorry");
  write_file_atomically(in / "damaged.zip", "no archive");
  write_file_atomically(in / "README.txt", "");
  REQUIRE(shell("cd right && tar czf ../packed.tar.gz vecadd.cu", in).ok());
  const ProcessResult result = warpgrade(
      {"grade", in.string(), "--out", out.string(), "--device", "emulator", "--jobs", "2"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(
      contains(result.err, "note: README.txt ignored: neither a student's folder nor an archive"));
  CHECK(contains(result.err, "[6/6]"));
  CHECK(contains(result.out, "Report: " + (out / "index.html").string()));
  CHECK(grade_of(out, "right").at("score") == 100);
  CHECK(grade_of(out, "packed").at("score") == 100);
  CHECK(grade_of(out, "parts").at("passed") == true);
  CHECK(grade_of(out, "empty").at("score") == 0);
  CHECK(grade_of(out, "nothing").at("items").at(0).at("message") ==
        "neither vecadd.cu nor vecadd.py was submitted; found only notes.txt");
  CHECK(contains(grade_of(out, "damaged").at("summary").get<std::string>(), "damaged.zip"));
  const auto grades = nlohmann::json::parse(read_file(out / "grades.json"));
  CHECK(grades.at("grades").size() == 6);
  CHECK(contains(read_file(out / "grades.csv"), "right,vecadd,1,graded,100,100,"));
  CHECK(contains(read_file(out / "index.html"), "right/vecadd/feedback.html"));

  SECTION("report makes the same pages again") {
    const std::string page = read_file(out / "right" / "vecadd" / "feedback.html");
    const std::string index = read_file(out / "index.html");
    fs::remove(out / "right" / "vecadd" / "feedback.html");
    fs::remove(out / "index.html");
    CHECK(warpgrade({"report", out.string()}).code == 0);
    CHECK(read_file(out / "right" / "vecadd" / "feedback.html") == page);
    CHECK(read_file(out / "index.html") == index);
  }
  SECTION("export prints the same table") {
    const ProcessResult csv = warpgrade({"export", out.string(), "--to", "csv", "--staff"});
    CHECK(csv.code == 0);
    CHECK(csv.out == read_file(out / "grades.csv"));
    CHECK(warpgrade({"export", out.string(), "--to", "pdf"}).code == 2);
  }
}

TEST_CASE("ctrl-C keeps finished grades, and --resume does the rest",
          "[program][grade][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  for (const char* student : {"a", "b", "c", "d", "e", "f"}) {
    // Different programs, because identical ones would need only one run.
    write_file_atomically(folder.path() / "in" / student / "vecadd.cu",
                          right_source() + "// " + student + "\n");
  }
  const std::string grade = "$W grade in --out out --jobs 1 --device emulator";
  const ProcessResult stopped =
      shell(grade +
                " & pid=$!\n"
                "while [ ! -e out/a/vecadd/grade.json ]; do sleep 0.05; done\n"
                "kill -INT $pid; wait $pid",
            folder.path());
  INFO(stopped.out << stopped.err);
  CHECK(stopped.code == 130);
  CHECK(contains(stopped.err,
                 "of 6 submissions are graded and kept in out; run the same command "
                 "with --resume for the rest"));
  CHECK(grade_of(folder.path() / "out", "a").at("score") == 100);
  CHECK_FALSE(fs::exists(folder.path() / "out" / "f" / "vecadd" / "grade.json"));
  CHECK(shell("ls ${TMPDIR:-/tmp}/warpgrade-* 2>/dev/null | grep -c build; true", folder.path())
            .ok());

  const auto written = fs::last_write_time(folder.path() / "out/a/vecadd/grade.json");
  const ProcessResult resumed = shell(grade + " --resume", folder.path());
  INFO(resumed.out << resumed.err);
  CHECK(resumed.code == 0);
  CHECK(fs::last_write_time(folder.path() / "out/a/vecadd/grade.json") == written);
  CHECK(grade_of(folder.path() / "out", "f").at("score") == 100);

  write_file_atomically(folder.path() / "in" / "a" / "vecadd.cu", kEmpty);
  CHECK(shell(grade + " --resume", folder.path()).code == 0);
  CHECK(grade_of(folder.path() / "out", "a").at("score") == 0);
}

TEST_CASE("identical and unchanged work is graded once, and a changed file again",
          "[program][grade]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  for (const char* student : {"a", "b", "c"}) {
    write_file_atomically(in / student / "vecadd.cu", right_source());
  }
  write_file_atomically(in / "d" / "vecadd.cu", kEmpty);
  // A wrapper script for bwrap counts the compilations.
  const ProcessResult bwrap = shell("command -v bwrap", folder.path());
  write_file_atomically(folder.path() / "bin" / "bwrap",
                        "#!/bin/sh\ncase \"$*\" in *-lineinfo*' vecadd.cu'*) echo x >>'" +
                            (folder.path() / "count").string() + "';; esac\nexec " +
                            bwrap.out.substr(0, bwrap.out.find('\n')) + " \"$@\"\n");
  fs::permissions(folder.path() / "bin" / "bwrap", fs::perms::owner_all);
  const std::string setting = "PATH=$PWD/bin:$PATH; export PATH; : >count; ";
  const std::string grade = "$W grade in --out out --jobs 2 --device emulator --cache cache";
  const auto compilations = [&](const std::string& command) {
    const ProcessResult result =
        shell(setting + command + " >log 2>&1 && wc -l <count", folder.path());
    INFO(read_file(folder.path() / "log"));
    CHECK(result.code == 0);
    return std::stoi("0" + result.out);
  };
  CHECK(compilations(grade) == 2);
  for (const char* student : {"a", "b", "c"}) {
    CHECK(grade_of(folder.path() / "out", student).at("score") == 100);
    CHECK(grade_of(folder.path() / "out", student).at("student") == student);
  }
  const std::string first = read_file(folder.path() / "out/a/vecadd/grade.json");
  CHECK(compilations(grade) == 0);
  CHECK(compilations(grade + " --resume") == 0);
  CHECK(read_file(folder.path() / "out/a/vecadd/grade.json") == first);
  // Another results folder, cached evidence.
  CHECK(compilations("$W grade in --out other --device emulator --cache cache") == 0);
  CHECK(read_file(folder.path() / "other/a/vecadd/grade.json") == first);
  // A modified grade is restored from the cache, a changed submission is graded.
  write_file_atomically(folder.path() / "out/a/vecadd/grade.json", "{}");
  CHECK(compilations(grade) == 0);
  CHECK(read_file(folder.path() / "out/a/vecadd/grade.json") == first);
  write_file_atomically(in / "b" / "vecadd.cu", right_source() + "// changed\n");
  CHECK(compilations(grade) == 1);
  // Another secret gives everybody other hidden data.
  write_file_atomically(folder.path() / "secret", "s3cret");
  CHECK(compilations(grade + " --secret-file secret") == 4);
  CHECK(compilations(grade + " --secret-file secret") == 0);
}

TEST_CASE("a class graded with pictures has them in its pages, also when these are made again",
          "[program][grade][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  std::string wrong = right_source();
  wrong.replace(wrong.find("rest < n"), 8, "rest <= n");
  write_file_atomically(folder.path() / "in" / "wrong" / "vecadd.cu", wrong);
  const fs::path page = folder.path() / "out" / "wrong" / "vecadd" / "feedback.html";
  const auto has_pictures = [&] { return contains(read_file(page), "\"recorded_case\":"); };
  const std::string grade = "$W grade in --out out --device emulator --cache cache ";
  const auto done = [&](const std::string& command) {
    const ProcessResult result = shell(command, folder.path());
    INFO(result.out << result.err);
    CHECK(result.code == 0);
  };
  done(grade);
  CHECK_FALSE(has_pictures());
  fs::remove_all(folder.path() / "out");
  done(grade + "--pictures");
  CHECK(has_pictures());
  CHECK(fs::file_size(page) < 600'000);
  done("$W report out");
  CHECK(has_pictures());
  // A damaged recording leaves a page without pictures.
  for (const fs::directory_entry& file : fs::directory_iterator(page.parent_path() / "recording")) {
    write_file_atomically(file.path(), "warprec");
  }
  done("$W report out");
  CHECK_FALSE(has_pictures());
}

TEST_CASE("two graders do not write into one results folder", "[program][grade][any_compiler]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in" / "a" / "vecadd.cu", kEmpty);
  fs::create_directories(folder.path() / "out" / ".warpgrade");
  const ProcessResult result =
      shell("flock out/.warpgrade/lock $W grade in --out out --device emulator", folder.path());
  CHECK(result.code == 2);
  CHECK(contains(result.err, "another warpgrade is grading into out; wait for it"));
}

TEST_CASE("similar lists renamed copies first, as text and as a page",
          "[program][similar][any_compiler]") {
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  const fs::path reduction = testing::source_folder() / "reference" / "reduction";
  const std::string original = read_file(reduction / "solution.cu");
  write_file_atomically(in / "ada" / "reduction.cu", original);
  REQUIRE(shell("mkdir -p in/bob && sed -E 's/partial/mine/g; s/kBlock/threads/g; s,//.*,,' "
                "in/ada/reduction.cu >in/bob/reduction.cu",
                folder.path())
              .ok());
  write_file_atomically(in / "eve" / "reduction.cu",
                        read_file(testing::source_folder() / "labs/reduction/reduction.cu"));
  const ProcessResult result =
      warpgrade({"similar", in.string(), "--html", (folder.path() / "s.html").string()});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "reduction: 3 submissions"));
  CHECK(contains(result.out, "100 %  ada"));
  CHECK_FALSE(contains(result.out, "eve"));
  CHECK(contains(read_file(folder.path() / "s.html"), "bob"));
  CHECK(warpgrade({"similar", in.string(), "--lab", "vecad"}).code == 2);
  const fs::path before = folder.path() / "2025";
  CHECK(warpgrade({"similar", in.string(), "--against", before.string()}).code == 2);
  write_file_atomically(before / "github" / "mp5.cu", original);
  REQUIRE(shell("mkdir s && cp in/eve/reduction.cu s && tar czf 2025/eve.tar.gz s", folder.path())
              .ok());
  const ProcessResult against = warpgrade({"similar", in.string(), "--against", before.string()});
  INFO(against.out << against.err);
  CHECK(against.code == 0);
  CHECK(contains(against.out, "reduction: 3 submissions, compared with 2 other programs"));
  CHECK(contains(against.out, "2025/github/mp5.cu"));
  CHECK_FALSE(contains(against.out, "eve"));
  CHECK(warpgrade({"similar", in.string(), "--lab", "vecadd"}).code == 2);
}

TEST_CASE("a results folder that cannot be written is reported before anything is graded",
          "[program][grade][any_compiler]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in" / "a" / "vecadd.cu", right_source());
  const ProcessResult result =
      warpgrade({"grade", (folder.path() / "in").string(), "--out", "/proc/out"});
  CHECK(result.code == 3);
  CHECK(contains(result.err, "warpgrade: cannot write /proc/out"));
  CHECK_FALSE(contains(result.err, "[1/1]"));
}

TEST_CASE("a read-only results folder is rejected with advice", "[program][grade][any_compiler]") {
  const ScratchFolder folder;
  need_sandbox();
  write_file_atomically(folder.path() / "in" / "a" / "vecadd.cu", kEmpty);
  fs::create_directory(folder.path() / "out");
  const ProcessResult result =
      shell("bwrap --dev-bind / / --ro-bind $PWD/out $PWD/out $W grade in --out out --sandbox none",
            folder.path());
  CHECK(result.code == 3);
  CHECK(contains(result.err,
                 "cannot write out: Read-only file system; choose a folder that you have write "
                 "permission for"));
}

TEST_CASE("a full disk stops the run and leaves only complete grades",
          "[program][grade][any_compiler]") {
  const ScratchFolder folder;
  need_sandbox();
  for (int i = 0; i < 20; ++i) {
    write_file_atomically(folder.path() / "in" / ("s" + std::to_string(i)) / "vecadd.cu", kEmpty);
  }
  fs::create_directory(folder.path() / "out");
  fs::create_directory(folder.path() / "kept");
  const ProcessResult result = shell(
      "bwrap --dev-bind / / --size 1048576 --tmpfs $PWD/out sh -c '$W grade in --out out --device "
      "emulator --sandbox none --jobs 1; code=$?; cp -r out/. kept; exit $code'",
      folder.path());
  INFO(result.out << result.err);
  CHECK(result.code == 3);
  CHECK(contains(result.err, "No space left on device; free some space"));
  std::size_t kept = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "kept")) {
    CHECK(entry.path().extension() != ".tmp");
    if (entry.path().filename() == "grade.json") {
      CHECK_NOTHROW(nlohmann::json::parse(read_file(entry.path())).at("score"));
      ++kept;
    }
  }
  CHECK(kept >= 1);
  CHECK(kept < 20);
}

TEST_CASE("a class that does not exist or contains no students is exit code 2",
          "[program][grade][any_compiler]") {
  const ScratchFolder folder;
  const std::string out = (folder.path() / "out").string();
  CHECK(warpgrade({"grade", (folder.path() / "x").string(), "--out", out}).code == 2);
  fs::create_directory(folder.path() / "in");
  CHECK(warpgrade({"grade", (folder.path() / "in").string(), "--out", out}).code == 2);
  CHECK(warpgrade({"grade", (folder.path() / "in").string()}).code == 2);
}

}  // namespace
}  // namespace warpgrade
