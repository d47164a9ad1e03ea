#include "harness/lab/lab.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

const std::string kDatasets = R"(schema = 1
[[dataset]]
name = "small"
dims = { n = 10 }
inputs.x = { distribution = "uniform" }
)";

const std::string kLab = R"(schema = 1
id = "demo"
title = "Demo"
submit = ["demo.cu"]
[function]
name = "demo"
parameter = [
  { name = "x", role = "input", type = "f32", shape = ["n"] },
  { name = "y", role = "output", type = "f32", shape = ["2 * n"] },
  { name = "n", role = "scalar", type = "i32", value = "n" },
]
[tolerance]
model = "rounding"
terms = "n"
[rubric]
build = 10
correctness = 60
safety = 10
concept = 10
performance = 10
[[case]]
name = "tail"
dataset = "small"
points = 60
hint = "Look at the end."
[[concept]]
id = "loads"
title = "Loads"
points = 10
case = "tail"
measured = "global_load_sectors"
expected = "n"
at_most = 1.5
unit = "sectors"
hint = "Fewer."
[performance]
case = "tail"
tier = [{ ratio = 1.5, points = 10 }]
)";

Lab load(const std::string& lab, const std::string& datasets = kDatasets) {
  const TemporaryFolder root;
  root.write("labs/demo/lab.toml", lab);
  root.write("datasets/demo.toml", datasets);
  return load_lab(root.path() / "labs/demo/");
}

std::string complaint(const std::string& lab, const std::string& datasets = kDatasets) {
  try {
    (void)load(lab, datasets);
  } catch (const LabError& error) {
    return error.what();
  }
  return "accepted";
}

/// The lab with one piece of text replaced, which must exist.
std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = kLab;
  const std::size_t at = text.find(old_text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old_text.size(), new_text);
}

}  // namespace

TEST_CASE("a size follows from dims and from the sizes before it", "[lab][load]") {
  const std::string sizes =
      "size = [{ name = \"padded\", value = \"ceil_div(n, 8) * 8\" },\n"
      "  { name = \"rest\", value = \"padded - n\" }]\n";
  const Lab lab = load(with("[function]\n", sizes + "[function]\n"));
  CHECK(lab.cases.front().data.dims == Dims{{"n", 10}, {"padded", 16}, {"rest", 6}});
  const auto refusal = [](const std::string& size) {
    const std::string text = complaint(with("[function]\n", "size = [" + size + "]\n[function]\n"));
    return text.substr(text.find(": ") + 2);
  };
  CHECK(refusal(R"({ name = "half", value = "n / 4" })") ==
        "size 'half' is 2.5 for dataset 'small'; it must be an integer from 0, so round with ceil, "
        "floor or ceil_div");
  CHECK(refusal(R"({ name = "n", value = "2 * n" })") ==
        "dataset 'small' has a dim or setting 'n', or another [[size]] is named so; keep one of "
        "them");
  CHECK(refusal(R"({ name = "p", value = "m + 1" })") ==
        "'m' in formula 'm + 1' is not a dim of dataset 'small'; did you mean 'n'?");
}

TEST_CASE("a lab for Hopper says so, and has a card that runs it", "[lab][load]") {
  CHECK(load(kLab).nvcc_architecture.empty());
  CHECK(load(kLab).card.empty());
  CHECK(load(with("title", "card = \"t4\"\ntitle")).card == "t4");
  const Lab lab = load(with("title", "nvcc_architecture = \"90a\"\ncard = \"h200\"\ntitle"));
  CHECK(lab.nvcc_architecture == "90a");
  CHECK(complaint(with("title", "card = \"h20\"\ntitle")) ==
        "labs/demo/lab.toml:3: card 'h20' does not exist; did you mean 'h200'?");
  CHECK(complaint(with("title", "nvcc_architecture = \"100a\"\ncard = \"h200\"\ntitle")) ==
        "labs/demo/lab.toml:3: nvcc_architecture '100a' is not \"90a\", the only one with "
        "instructions of its own that the emulator has; write that, or leave the key out");
  for (const char* card : {"", "card = \"a100\"\n"}) {
    CHECK(complaint(with("title", "nvcc_architecture = \"90a\"\n" + std::string(card) + "title")) ==
          "labs/demo/lab.toml:3: nvcc_architecture \"90a\" needs a card that has it; write card = "
          "\"h100\" or card = \"h200\"");
  }
}

TEST_CASE("a lab gives headers that stand beside its contract, or another lab's", "[lab][load]") {
  const TemporaryFolder root;
  root.write("datasets/demo.toml", kDatasets);
  for (const char* name : {"demo.h", "more.h", "more.cu"}) {
    root.write(std::string("labs/demo/") + name, "");
  }
  const auto given = [&](const std::string& names) {
    root.write("labs/demo/lab.toml", with("title", "given = [" + names + "]\ntitle"));
    return load_lab(root.path() / "labs/demo").given;
  };
  for (const char* file : {"labs/other/lab.toml", "labs/other/theirs.h", "labs/none/more.h"}) {
    root.write(file, "");
  }
  CHECK(given("\"more.h\"") == std::vector{root.path() / "labs/demo/more.h"});
  CHECK(given("\"../other/theirs.h\"") == std::vector{root.path() / "labs/other/theirs.h"});
  for (const std::string name : {"demo.h", "more.cu", "../demo/more.h", "none.h", "../none/more.h",
                                 "../other/none.h", "../other/lab.toml", "other/theirs.h"}) {
    try {
      (void)given('"' + name + '"');
      FAIL(name << " is accepted");
    } catch (const LabError& error) {
      CHECK(error.what() ==
            "labs/demo/lab.toml:3: '" + name +
                "' is not a header in labs/demo beside demo.h; name a file with the "
                "ending .h there, or ../<lab>/<file>.h of another lab");
    }
  }
}

TEST_CASE("a stub that need not build has a reason", "[lab][load]") {
  CHECK(load(kLab).stub_reason.empty());
  CHECK(load(with("title", "stub = \"complete\"\ntitle")).stub_reason.empty());
  CHECK(load(with("title", "stub = \"incomplete\"\nstub_reason = \"Why.\"\ntitle")).stub_reason ==
        "Why.");
  CHECK(complaint(with("title", "stub = \"none\"\ntitle")) ==
        "labs/demo/lab.toml:3: kind of stub 'none' does not exist; known: complete, incomplete");
  CHECK(complaint(with("title", "stub = \"incomplete\"\nstub_reason = \"\"\ntitle")) ==
        "labs/demo/lab.toml:4: 'stub_reason' is empty; say why the stub does not build as it is "
        "given out, in a sentence that the handout has, too");
}

TEST_CASE("a lab names the case timed on a GPU; otherwise it is the performance case",
          "[lab][load]") {
  CHECK_FALSE(load(kLab).gpu_case.has_value());
  const std::string large = kDatasets + R"([[dataset]]
name = "large"
dims = { n = 1000000 }
inputs.x = { distribution = "integers", low = 0, high = 1 }
)";
  const Lab lab = load(with("case = \"tail\"\ntier",
                            "case = \"tail\"\n"
                            "gpu = { dataset = \"large\", exact = true }\ntier"),
                       large);
  REQUIRE(lab.timed_case() != nullptr);
  CHECK(lab.timed_case()->name == "tail");
  CHECK(lab.timed_case()->data.dims.at("n") == 1000000);
  CHECK(lab.timed_case()->exact);
  CHECK_FALSE(lab.timed_case()->visible);
  CHECK(complaint(
            with("case = \"tail\"\ntier", "case = \"tail\"\ngpu = { dataset = \"huge\" }\ntier"))
            .find("huge") != std::string::npos);
}

TEST_CASE("a lab may have a place in the course: week, hours, labs before it", "[lab][load]") {
  CHECK(load(kLab).schedule.week == 0);
  const auto with_keys = [](const std::string& keys) {
    return with("schema = 1\n", "schema = 1\n" + keys);
  };
  const Lab lab = load(with_keys("week = 3\nhours = 2.5\nafter = [\"vecadd\"]\n"));
  CHECK(lab.schedule.week == 3);
  CHECK(lab.schedule.hours == 2.5);
  CHECK(lab.schedule.after == std::vector<std::string>{"vecadd"});
  CHECK(complaint(with_keys("week = 0\n")) ==
        "labs/demo/lab.toml:2: key 'week' is 0; it must be from 1 to 53, the week of the course");
  CHECK(complaint(with_keys("hours = nan\n")).find("it must be above 0") != std::string::npos);
  CHECK(complaint(with_keys("after = [\"demo\"]\n")).find("names the lab itself") !=
        std::string::npos);
}

TEST_CASE("a lab may say how many operations its task takes, over dims", "[lab][load]") {
  CHECK_FALSE(load(kLab).flops.has_value());
  const auto saying = [](const std::string& formula) {
    return with("case = \"tail\"\ntier", "case = \"tail\"\nflops = \"" + formula + "\"\ntier");
  };
  CHECK(load(saying("2 * n")).flops->text() == "2 * n");
  CHECK(complaint(saying("2 * k")).find("'k' in formula '2 * k' is not a dim") !=
        std::string::npos);
}

TEST_CASE("a lab may say how much may come back to the host, over dims", "[lab][load]") {
  const auto with_keys = [](const std::string& keys) {
    return with("schema = 1\n", "schema = 1\n" + keys);
  };
  CHECK_FALSE(load(kLab).host_reads.has_value());
  CHECK(load(with_keys("host_reads = \"4 * n\"\n")).host_reads->text() == "4 * n");
  CHECK(complaint(with_keys("host_reads = \"4 * k\"\n"))
            .find("'k' in formula '4 * k' is not a dim") != std::string::npos);
}

TEST_CASE("a lab says how many devices a submission sees", "[lab][load]") {
  const auto with_device = [](const std::string& keys) {
    return with("[tolerance]\n", "[device]\n" + keys + "[tolerance]\n");
  };
  CHECK(load(kLab).devices == 1);
  CHECK(load(with_device("count = 2\n")).devices == 2);
  CHECK(complaint(with_device("count = 0\n")) ==
        "labs/demo/lab.toml:13: 'count' is 0; it must be 1 to 16, the devices that a submission "
        "sees, "
        "such as count = 2");
  CHECK(complaint(with_device("count = 2\ncuont = 2\n")).find("'cuont'") != std::string::npos);
}

TEST_CASE("a lab.toml is read in full", "[lab][load]") {
  const Lab lab = load(kLab);
  CHECK(lab.id == "demo");
  CHECK(lab.function == "demo");
  REQUIRE(lab.parameters.size() == 3);
  CHECK(lab.parameters[1].role == Role::output);
  CHECK(lab.parameters[1].memory == Memory::device);
  CHECK(lab.parameters[2].value->text() == "n");
  CHECK(lab.tolerance.terms->text() == "n");
  REQUIRE(lab.cases.size() == 1);
  CHECK(lab.cases[0].data.dims.at("n") == 10);
  CHECK(lab.find_case("tail") == lab.cases.data());
  CHECK(lab.find_case("head") == nullptr);
  REQUIRE(lab.concepts.size() == 1);
  CHECK(lab.concepts[0].at_most == 1.5);
  CHECK(lab.tiers.at(0).points == 10);
  CHECK(lab.stub.filename() == "demo.cu");
}

TEST_CASE("the error for a missing key has the line to add", "[lab][load]") {
  CHECK(complaint(with("points = 60\n", "")) ==
        "labs/demo/lab.toml:21: key 'points' is missing in [[case]] \"tail\"; add points = N");
  CHECK(complaint(with("title = \"Demo\"\n", "")) ==
        "labs/demo/lab.toml:1: key 'title' is missing in the file; add title = \"...\"");
  CHECK(complaint(with("[tolerance]\nmodel = \"rounding\"\nterms = \"n\"\n", "")) ==
        "labs/demo/lab.toml:1: table [tolerance] is missing in the file; add it");
}

TEST_CASE("a lab can allow additional names and assembly", "[lab][load]") {
  const Lab plain = load(kLab);
  CHECK(plain.allowed_names.empty());
  CHECK_FALSE(plain.host_assembly);
  const Lab lab = load(with("id = ", "allowed_names = [\"getenv\"]\nhost_assembly = true\nid = "));
  CHECK(lab.allowed_names == std::vector<std::string>{"getenv"});
  CHECK(lab.host_assembly);
  CHECK(complaint(with("id = ", "allowed_names = [\"get*\"]\nid = ")) ==
        "labs/demo/lab.toml:2: 'get*' is not a valid symbol name; write it as shown by nm, such as "
        "'getenv' or '_ZNSt6thread4joinEv'");
}

TEST_CASE("a lab chooses how much is revealed of a proven cause, by one of three names",
          "[lab][load]") {
  CHECK(load(kLab).hints == Hints::kind);
  CHECK(load(with("id = ", "hints = \"place\"\nid = ")).hints == Hints::place);
  CHECK(load(with("id = ", "hints = \"fix\"\nid = ")).hints == Hints::fix);
  CHECK_FALSE(load(kLab).pass.has_value());
  CHECK(load(with("id = ", "pass = 60\nid = ")).pass == 60);
  CHECK(complaint(with("id = ", "pass = 120\nid = ")).find("must be from 0 to 100") !=
        std::string::npos);
  CHECK(complaint(with("id = ", "hints = \"patch\"\nid = ")) ==
        "labs/demo/lab.toml:2: level 'patch' does not exist; known: place, kind, fix");
}

TEST_CASE("submissions are C++20, or what the lab says", "[lab][load]") {
  CHECK(load(kLab).standard == CppStandard::cpp20);
  CHECK(load(with("id = ", "standard = \"c++17\"\nid = ")).standard == CppStandard::cpp17);
  CHECK(load(with("id = ", "standard = \"c++20\"\nid = ")).standard == CppStandard::cpp20);
  CHECK(complaint(with("id = ", "standard = \"c++71\"\nid = ")) ==
        "labs/demo/lab.toml:2: key 'standard' in the file is 'c++71'; did you mean 'c++17'? it "
        "must be "
        "one of c++17, c++20");
}

TEST_CASE("for an unknown key, the nearest known one is suggested", "[lab][load]") {
  CHECK(complaint(with("hint = \"Look", "hnit = \"a\"\nhint = \"Look")) ==
        "labs/demo/lab.toml:25: unknown key 'hnit' in [[case]] \"tail\"; did you mean 'hint'?");
}

TEST_CASE("the error for a key of the wrong type says how to write it", "[lab][load]") {
  CHECK(complaint(with("points = 60", "points = \"60\"")) ==
        "labs/demo/lab.toml:24: key 'points' in [[case]] \"tail\" must be a number; write points "
        "= N");
  CHECK(complaint(with("submit = [\"demo.cu\"]", "submit = \"demo.cu\"")) ==
        "labs/demo/lab.toml:4: key 'submit' in the file must be a list of strings; write submit = "
        "[\"...\"]");
}

TEST_CASE("points must sum to 100, and to the rubric's within a category", "[lab][load]") {
  CHECK(complaint(with("build = 10", "build = 5")) ==
        "labs/demo/lab.toml:15: the points of [rubric] sum to 95; make them 100");
  CHECK(complaint(with("points = 60", "points = 59")) ==
        "labs/demo/lab.toml:21: the points of all [[case]] sum to 59; make them "
        "rubric.correctness, 60");
  CHECK(complaint(with("title = \"Loads\"\npoints = 10", "title = \"Loads\"\npoints = 9")) ==
        "labs/demo/lab.toml:26: the points of all [[concept]] sum to 9; make them rubric.concept, "
        "10");
  CHECK(complaint(with("ratio = 1.5, points = 10", "ratio = 1.5, points = 9")) ==
        "labs/demo/lab.toml:38: the first tier gives 9 points; make it rubric.performance, 10");
}

TEST_CASE("for names that refer to nothing, the nearest one is suggested", "[lab][load]") {
  CHECK(complaint(with("dataset = \"small\"", "dataset = \"smal\"")) ==
        "labs/demo/lab.toml:23: dataset 'smal' does not exist; did you mean 'small'?");
  CHECK(complaint(with("case = \"tail\"\nmeasured", "case = \"tial\"\nmeasured")) ==
        "labs/demo/lab.toml:30: case 'tial' does not exist; did you mean 'tail'?");
  CHECK(complaint(with("shape = [\"n\"]", "shape = [\"q\"]")) ==
        "labs/demo/lab.toml:8: 'q' in formula 'q' is not a dim of dataset 'small'; did you mean "
        "'n'?");
  CHECK(complaint(with("global_load_sectors", "global_load_sector")) ==
        "labs/demo/lab.toml:31: 'global_load_sector' in formula 'global_load_sector' is not a dim "
        "of dataset 'small' nor a counter; did you mean 'global_load_sectors'?");
}

TEST_CASE("a clue's names are checked: a misspelled one would never hold, or always",
          "[lab][load]") {
  const auto clue = [](const std::string& keys) {
    return kLab + "[[clue]]\npitfall = \"P22\"\nsays = \"A barrier is missing.\"\n" + keys;
  };
  CHECK(complaint(clue("finding = \"race-shard\"\n")) ==
        "labs/demo/lab.toml:42: kind of finding 'race-shard' does not exist; did you mean "
        "'race-shared'?");
  CHECK(complaint(clue("pattern = \"shifted\"\nno_finding = \"oob_global_write\"\n")) ==
        "labs/demo/lab.toml:43: kind of finding 'oob_global_write' does not exist; did you mean "
        "'oob-global-write'?");
  CHECK(complaint(clue("finding = \"\"\n"))
            .starts_with("labs/demo/lab.toml:42: kind of finding '' does not exist; known: "
                         "oob-global-read, "));
  CHECK(complaint(clue("pattern = \"shiftet\"\n")) ==
        "labs/demo/lab.toml:42: pattern 'shiftet' does not exist; did you mean 'shifted'?");
  CHECK(complaint(clue("fails = [\"tial\"]\n")) ==
        "labs/demo/lab.toml:42: case 'tial' does not exist; did you mean 'tail'?");
  CHECK(complaint(clue("when = \"global_atomic_lane > n\"\n")) ==
        "labs/demo/lab.toml:42: 'global_atomic_lane' in formula 'global_atomic_lane > n' is not a "
        "dim of dataset 'small' nor a counter; did you mean 'global_atomic_lanes'?");
  const Lab lab = load(clue("finding = \"race-shared\"\nno_finding = \"deadlock\"\n"));
  REQUIRE(lab.clues.size() == 1);
  CHECK(lab.clues[0].finding == "race-shared");
  CHECK(lab.clues[0].no_finding == "deadlock");
}

TEST_CASE("every input needs a fill in every dataset", "[lab][load]") {
  CHECK(complaint(kLab, "schema = 1\n[[dataset]]\nname = \"small\"\ndims = { n = 10 }\n") ==
        "labs/demo/lab.toml:23: dataset 'small' does not say how input 'x' is filled; add "
        "inputs.x = { distribution = \"uniform\" }");
}

TEST_CASE("invalid TOML is reported with its line", "[lab][load]") {
  CHECK(complaint("schema = 1\nid = \n").starts_with("labs/demo/lab.toml:2: "));
}

TEST_CASE("a missing file is named", "[lab][load]") {
  const TemporaryFolder root;
  root.write("labs/demo/lab.toml", kLab);
  try {
    (void)load_lab(root.path() / "labs/demo");
    FAIL("accepted");
  } catch (const LabError& error) {
    CHECK(std::string(error.what()) ==
          "datasets/demo.toml: no such file; add it, see docs/adding-a-lab.md");
  }
}

TEST_CASE("labs are found by their lab.toml, sorted", "[lab][load]") {
  const TemporaryFolder root;
  root.write("labs/b/lab.toml", "");
  root.write("labs/a/lab.toml", "");
  root.write("labs/c/notes.txt", "");
  CHECK(find_labs(root.path()) == std::vector<std::string>{"a", "b"});
  CHECK(find_labs(root.path() / "nowhere").empty());
}

TEST_CASE("a lab without the mandatory categories is rejected with their names", "[lab][load]") {
  CHECK(missing_categories(load(kLab)) ==
        std::vector<std::string>{"size-one", "below-warp", "block-minus-one", "block-plus-one",
                                 "prime", "large-ragged", "misaligned", "all-equal", "extremes"});
  CHECK(missing_categories(load(with("id = ", "required_categories = [\"nan\"]\nid = "))).back() ==
        "nan");
}

TEST_CASE("every lab of the project loads and has its edge categories", "[lab][load]") {
  const std::filesystem::path root = WARPGRADE_SOURCE_ROOT;
  const auto ids = find_labs(root);
  REQUIRE_FALSE(ids.empty());
  for (const std::string& id : ids) {
    const Lab lab = load_lab(root / "labs" / id);
    INFO(id);
    CHECK(std::filesystem::exists(lab.handout));
    if (!lab.has_code()) {
      CHECK(lab.questions.size() >= 10);
      continue;
    }
    CHECK(missing_categories(lab).empty());
    CHECK(std::filesystem::exists(lab.stub));
    CHECK((lab.program || std::filesystem::exists(lab.header)));
    CHECK(std::filesystem::exists(lab.reference / "solution.cu"));
  }
}

TEST_CASE("every lab of the project has a week, its hours and labs before it that come no later",
          "[lab][load]") {
  const std::filesystem::path root = WARPGRADE_SOURCE_ROOT;
  std::map<std::string, Schedule> schedules;
  for (const std::string& id : find_labs(root)) {
    schedules[id] = load_lab(root / "labs" / id).schedule;
  }
  for (const auto& [id, schedule] : schedules) {
    INFO(id);
    CHECK(schedule.week > 0);
    CHECK(schedule.hours > 0);
    CHECK(schedule.after.empty() == (id == "vecadd"));  // the course starts with it
    for (const std::string& before : schedule.after) {
      INFO("after " << before);
      const auto found = schedules.find(before);
      REQUIRE(found != schedules.end());
      CHECK(found->second.week <= schedule.week);
    }
  }
}

}  // namespace warpgrade
