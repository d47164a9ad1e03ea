#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

#include "emulator/recording/calls.h"
#include "emulator/recording/candidate.h"
#include "emulator/recording/recording.h"
#include "emulator/recording/selection.h"

namespace warpsim::recording {
namespace {

Step store_step() {
  Step step{.kind = Step::Kind::access,
            .warp = 1,
            .instruction = 1,
            .lanes = 0x8000000f,
            .type = AccessType::store,
            .shared = true,
            .width = 4,
            .passes = 3,
            .ideal = 1,
            .values = {}};
  for (std::size_t lane = 0; lane < 32; ++lane) step.address[lane] = 4096 + 128 * lane;
  step.address[31] = 12;  // before the others
  for (int i = 0; i < 20; ++i) step.values.push_back(static_cast<std::byte>(i));
  return step;
}

VariableChange change_of(std::uint32_t number, std::uint32_t lanes, std::uint64_t first,
                         std::uint64_t distance, std::uint32_t step = 1) {
  VariableChange change{.step = step, .warp = 1, .number = number, .lanes = lanes};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) != 0) change.values[lane] = first + lane * distance;
  }
  return change;
}

VariableRecord example_variables() {
  VariableRecord made;
  made.list = {{"i", VariableType::signed_integer, 4}, {"x", VariableType::floating, 8}};
  made.sets = {{{{0, true}}}, {{{0, true}, {1, false}}}};
  VariableWriter writer;
  writer.add_visible(1, 1, 1);
  writer.add(change_of(0, ~0u, 64, 1), made.list[0]);
  writer.add(change_of(1, 0xff, 0x3ff0000000000000, 0), made.list[1]);
  writer.add(change_of(1, 0xff, 0x3ff0000000000000, 1 << 20, 2), made.list[1]);
  VariableChange gone = change_of(1, 1, 0, 0, 3);
  gone.kind = VariableChange::Kind::none;
  writer.add(gone, made.list[1]);
  made.count = writer.count();
  made.changes = writer.take();
  return made;
}

std::vector<VariableChange> changes_of(const Block& block) {
  std::vector<VariableChange> changes;
  for_each_change(block, [&](const VariableChange& change) { changes.push_back(change); });
  return changes;
}

Recording example() {
  Recording recording;
  recording.card = "H200";
  recording.files.push_back({"reduce.cu", 7, {"  tile[i] = a[i];", ""}});
  recording.notes = {"a note"};
  Block block;
  block.launch = 2;
  block.kernel = "reduce(float*)";
  block.grid = {3, 1, 1};
  block.block = {64, 1, 1};
  block.id = {2, 0, 0};
  block.dropped = 5;
  block.shared = {{"tile", 0, 256, {4, 16}}};
  block.global = {{"cudaMalloc #1", 0x200000000000, 1024}};
  block.instructions = {{1, 7, "mov.u32 %r1, %tid.x", 0, 0, ValueType::bits},
                        {1, 7, "st.shared.f32 [%r1], %f1", 6, 4, ValueType::floating}};
  StepWriter writer;
  writer.add_run(1, 0, ~0u, 12);
  writer.add(store_step());
  writer.add({.kind = Step::Kind::diverge, .warp = 1, .lanes = ~0u, .other = 0xff, .values = {}});
  writer.add({.kind = Step::Kind::arrive, .warp = 0, .lanes = ~0u, .count = 1, .values = {}});
  writer.add({.kind = Step::Kind::leave, .warp = 0, .lanes = 3, .values = {}});
  block.step_count = writer.count();
  block.steps = writer.take();
  NamedFinding finding;
  finding.kind = "race-shared";
  finding.line = 7;
  finding.step = 1;
  finding.naming = {8, 10};
  finding.race = NamedFinding::Race{true, 12, {0, 1}, {3, 31}, std::nullopt};
  NamedFinding between = finding;
  between.kind = "race-global";
  between.race->other = {.side = 1, .block = {2, 0, 1}};
  block.findings = {finding, between};
  block.outputs = {{"cudaMalloc #1", 0x200000000000, 1024, 4, {{1, 2, 63, 1}, {}, {7, 0, 0, 0}}}};
  block.variables = example_variables();
  recording.blocks.push_back(std::move(block));
  Call copy;
  copy.kind = 1;
  copy.name = "cudaMemcpyAsync";
  copy.stream = 2;
  copy.engine = 1;
  copy.bytes = 4096;
  copy.pageable = true;
  copy.ready_ms = 0.1;
  copy.begin_ms = 0.3;
  copy.end_ms = 1.0 / 3;
  copy.file = 1;
  copy.line = 70;
  Call peer = copy;
  peer.between = {0, 3};
  peer.ready_ms = peer.begin_ms;
  peer.after = {0};
  recording.calls = {
      .begin_ms = 0.1, .end_ms = 2, .overlap_ms = 0.25, .left_out = 9, .list = {copy, peer}};
  return recording;
}

std::string refusal(std::string_view bytes) {
  try {
    (void)decode(bytes);
    return "";
  } catch (const BadRecording& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a recording that is read is the one that was written", "[recording][unit]") {
  const std::string bytes = encode(example());
  const Recording read = decode(bytes);
  CHECK(encode(read) == bytes);
  CHECK(read.files.front().lines.front() == "  tile[i] = a[i];");
  const Block& block = read.blocks.front();
  CHECK(block.id == std::array<std::uint32_t, 3>{2, 0, 0});
  CHECK(block.findings.front().race->lane[1] == 31);
  CHECK(block.findings.front().step == 1u);
  CHECK(block.findings.front().naming == std::vector<std::uint32_t>{8, 10});
  CHECK(block.shared.front().extents == std::vector<std::uint32_t>{4, 16});
  REQUIRE(block.outputs.front().elements.size() == 3);
  CHECK(block.outputs.front().elements[0].thread == 63);
  CHECK(block.outputs.front().elements[0].block == 2);
  CHECK(block.outputs.front().elements[1].count == 0);
  CHECK(block.outputs.front().elements[2].block == 0);

  std::vector<Step> steps;
  for_each_step(block, [&](const Step& step) { steps.push_back(step); });
  REQUIRE(steps.size() == 5);
  const Step& store = steps[1];
  CHECK(store.lanes == 0x8000000f);
  CHECK(store.address[3] == 4096 + 384);
  CHECK(store.address[31] == 12);
  CHECK(store.values == store_step().values);
  CHECK(store.passes == 3);
  CHECK(steps[2].other == 0xff);
  CHECK(steps[3].count == 1);
  CHECK(steps[4].lanes == 3);
}

TEST_CASE("the calls that are read are those that were written, with the same times",
          "[recording][unit]") {
  const Calls calls = decode(encode(example())).calls;
  CHECK(calls.begin_ms == 0.1);
  CHECK(calls.overlap_ms == 0.25);
  CHECK(calls.left_out == 9);
  REQUIRE(calls.list.size() == 2);
  const Call& copy = calls.list.front();
  CHECK(copy.name == "cudaMemcpyAsync");
  CHECK(copy.ready_ms == 0.1);
  CHECK(copy.end_ms == 1.0 / 3);
  CHECK(copy.pageable);
  CHECK(copy.after.empty());
  const Call& between = calls.list.back();
  CHECK(between.between == std::array<std::uint32_t, 2>{0, 3});
  CHECK(between.ready_ms == between.begin_ms);
  CHECK(between.after == std::vector<std::uint32_t>{0});
}

TEST_CASE("lanes at one distance, and with one value, take a few bytes", "[recording][unit]") {
  StepWriter writer;
  Step step = store_step();
  step.lanes = ~0u;
  for (std::size_t lane = 0; lane < 32; ++lane) step.address[lane] = 8 * lane;
  step.values.assign(128, std::byte{0});
  writer.add(step);
  CHECK(writer.size() < 20);
  step.address[5] = 0;
  const std::size_t before = writer.size();
  writer.add(step);
  CHECK(writer.size() - before > 32);
}

TEST_CASE("values of variables are read as they were written", "[recording][unit]") {
  const Recording read = decode(encode(example()));
  const std::vector<VariableChange> changes = changes_of(read.blocks.front());
  REQUIRE(changes.size() == 5);
  CHECK(changes[0].kind == VariableChange::Kind::visible);
  CHECK(changes[0].number == 1);
  CHECK(changes[1].values == change_of(0, ~0u, 64, 1).values);
  CHECK(changes[2].values == change_of(1, 0xff, 0x3ff0000000000000, 0).values);
  CHECK(changes[3].values == change_of(1, 0xff, 0x3ff0000000000000, 1 << 20).values);
  CHECK(changes[3].step == 2);
  CHECK(changes[4].kind == VariableChange::Kind::none);
  CHECK(changes[4].lanes == 1);
  CHECK_FALSE(read.blocks.front().variables.sets[1].list[1].has_place);
}

TEST_CASE("numbers at one distance from lane to lane take a few bytes", "[recording][unit]") {
  const Variable i{"i", VariableType::signed_integer, 4};
  VariableWriter writer;
  writer.add(change_of(0, ~0u, 64, 1), i);
  CHECK(writer.size() < 12);
  std::size_t before = writer.size();
  writer.add(change_of(0, ~0u, 65, 1, 2), i);  // the next iteration
  CHECK(writer.size() - before == 5);
  before = writer.size();
  writer.add(change_of(0, ~0u, 0x3f800000, 0, 2), {"x", VariableType::floating, 4});
  CHECK(writer.size() - before == 6);
  before = writer.size();
  VariableChange row = change_of(0, ~0u, 64, 1, 2);
  row.values[7] = 0;
  writer.add(row, i);
  CHECK(writer.size() - before == 130);
}

TEST_CASE("rows of numbers keep their signs and all their bits", "[recording][unit]") {
  Recording recording = example();
  Block& block = recording.blocks.front();
  block.variables.list = {{"a", VariableType::signed_integer, 1},
                          {"b", VariableType::unsigned_integer, 8},
                          {"c", VariableType::unsigned_integer, 4}};
  block.variables.sets.clear();
  std::vector<VariableChange> written(3);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    written[0].values[lane] = (lane - 16) & 0xff;  // -16 to 15
    written[1].values[lane] = ~std::uint64_t{0} - lane;
    written[2].values[lane] = 0xfffffff0u + lane % 16;
  }
  VariableWriter writer;
  for (std::uint32_t i = 0; i < 3; ++i) {
    written[i].number = i;
    written[i].lanes = ~0u;
    writer.add(written[i], block.variables.list[i]);
  }
  block.variables.count = writer.count();
  block.variables.changes = writer.take();
  const std::vector<VariableChange> read = changes_of(decode(encode(recording)).blocks.front());
  REQUIRE(read.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(read[i].values == written[i].values);
}

TEST_CASE("a recording of version 1 is read, and has no variables and no calls",
          "[recording][unit]") {
  // Without blocks, what version 2 adds are the calls at the end.
  Recording recording = example();
  recording.blocks.clear();
  recording.calls = {};
  std::string calls;
  put(calls, recording.calls);
  std::string bytes = encode(recording);
  REQUIRE(bytes.ends_with(calls));
  bytes.resize(bytes.size() - calls.size());
  CHECK(bytes[7] == 3);
  CHECK(refusal(bytes) == "the recording is truncated");
  bytes[7] = 1;
  const Recording read = decode(bytes);
  CHECK(read.notes.front() == "a note");
  CHECK(read.calls.list.empty());
  CHECK(encode(read) == encode(recording));
  bytes[7] = 0;
  CHECK(refusal(bytes) == "the recording has a version that this warpsim does not know");
}

TEST_CASE("a recording of version 2 is read, and has no extents and no lines of arrays",
          "[recording][unit]") {
  Recording recording = example();
  Block& block = recording.blocks.front();
  block.findings.clear();
  block.shared.clear();
  block.outputs.clear();
  std::string bytes = encode(recording);
  bytes[7] = 2;  // what version 3 adds is in what is left out here
  CHECK(encode(decode(bytes)) == encode(recording));
}

TEST_CASE("a recording that is cut anywhere is refused", "[recording][unit]") {
  const std::string bytes = encode(example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(refusal(std::string_view(bytes).substr(0, size)).empty());
  }
  CHECK(refusal(bytes + "x") == "the recording has bytes after its end");
}

TEST_CASE("a forged recording is refused with what is wrong", "[recording][unit]") {
  CHECK(refusal("not a recording") == "the file is not a recording of warpsim");
  CHECK(refusal("warprec\x04 later") ==
        "the recording has a version that this warpsim does not know");
  Recording forged = example();
  forged.blocks.front().block = {32, 1, 1};  // one warp, and steps of another
  CHECK(refusal(encode(forged)) == "the recording has an invalid warp");
  forged = example();
  forged.blocks.front().instructions.pop_back();
  CHECK(refusal(encode(forged)) == "the recording has an invalid instruction");
  forged = example();
  forged.blocks.front().shared.front().extents = {4, 0};
  CHECK(refusal(encode(forged)) == "the recording has an invalid number");
  forged.blocks.front().shared.front().extents.assign(17, 1);
  CHECK(refusal(encode(forged)) == "the recording has too long a list");
  forged = example();
  forged.blocks.front().findings.front().file = 2;
  CHECK(refusal(encode(forged)) == "the recording has an invalid file");
  forged = example();
  forged.blocks.front().findings.front().step = 5;
  CHECK(refusal(encode(forged)) == "the recording has an invalid step");
  forged = example();
  forged.blocks.front().variables.sets.pop_back();
  CHECK(refusal(encode(forged)) == "the recording has an invalid variable");
  forged = example();
  forged.blocks.front().variables.list[0].bytes = 3;
  CHECK(refusal(encode(forged)) == "the recording has an invalid size of a variable");
  forged = example();
  forged.blocks.front().variables.count -= 1;
  CHECK(refusal(encode(forged)) == "the recording has bytes after its last variable");
  forged = example();
  forged.calls.list.back().after = {1};  // itself
  CHECK(refusal(encode(forged)) == "the recording has an invalid edge");
  forged.calls.list.back().after = {2};  // a later one
  CHECK(refusal(encode(forged)) == "the recording has an invalid edge");
  for (const double time : {-1.0, 0.2, 1e13, std::numeric_limits<double>::quiet_NaN()}) {
    forged = example();
    forged.calls.list.front().end_ms = time;
    CHECK(refusal(encode(forged)) == "the recording has an invalid time");
  }
  forged = example();
  forged.calls.list.front().engine = 4;
  CHECK(refusal(encode(forged)) == "the recording has an invalid engine");
  CHECK(refusal(std::string(kMostBytes + 1, 'w')) == "the recording is larger than 4 MiB");
}

TEST_CASE("what to record is a list of parts", "[recording][unit]") {
  std::string error;
  const auto all = parse_selection("launch=2,kernel=scale,block=1:0:3,bytes=5000", error);
  REQUIRE(all);
  CHECK(all->launch == 2);
  CHECK(all->kernel == "scale");
  CHECK(*all->block == Dim3{1, 0, 3});
  CHECK(all->bytes == 5000);
  CHECK(all->is_explicit());
  CHECK(*parse_selection("block=4", error)->block == Dim3{4, 0, 0});
  CHECK(parse_selection("block=all", error)->all_blocks);
  CHECK_FALSE(parse_selection("", error)->is_explicit());
  CHECK(error.empty());
  for (const char* wrong : {"launch=0", "launch=x", "block=1:", "block=1:2:3:4", "bytes=10",
                            "bytes=99999999", "kernel=", "sources=maybe", "line=3", "block"}) {
    CAPTURE(wrong);
    error.clear();
    CHECK_FALSE(parse_selection(wrong, error));
    CHECK(error.starts_with("'"));
  }
}

TEST_CASE("writes that are not recorded are known by their instructions", "[recording][unit]") {
  for (const char* unseen : {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                             "[%r1], [%rd1], %r2, [%r3]",
                             "cp.async.bulk.shared::cta.global [%r1]", "mapa.u64 %rd1, %rd2, %r1",
                             "st.shared::cluster.u32 [%r1], %r2"}) {
    CAPTURE(unseen);
    CHECK(may_write_unseen(unseen));
  }
  for (const char* seen : {"cp.async.ca.shared.global [%r1], [%rd1], 4", "st.shared.u32 [%r1], %r2",
                           "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2",
                           "cp.async.bulk.commit_group", "ld.shared.f32 %f1, [%r1]"}) {
    CAPTURE(seen);
    CHECK_FALSE(may_write_unseen(seen));
  }
}

}  // namespace warpsim::recording
