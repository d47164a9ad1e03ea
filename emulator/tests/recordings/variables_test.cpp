#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/tests/recordings/recorded_run.h"

// Values of variables, of programs with debug information and without (variables.cu).

using namespace warpsim::recording;

namespace {

/// What a warp's lanes can see after a step.
class Seen {
 public:
  Seen(const Block& block, std::uint32_t step, std::uint32_t warp) : variables_(block.variables) {
    for_each_change(block, [&](const VariableChange& change) {
      if (change.step > step || change.warp != warp) return;
      if (change.kind == VariableChange::Kind::visible) {
        set_ = change.number;
        return;
      }
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((change.lanes >> lane & 1) == 0) continue;
        auto& value = values_[change.number][lane];
        value.reset();
        if (change.kind == VariableChange::Kind::values) value = change.values[lane];
      }
    });
  }

  [[nodiscard]] const VisibleVariables::One* find(const std::string& name) const {
    for (const VisibleVariables::One& one : variables_.sets.at(set_).list) {
      if (variables_.list[one.variable].name == name) return &one;
    }
    return nullptr;
  }
  [[nodiscard]] std::optional<std::uint64_t> value(const std::string& name,
                                                   std::uint32_t lane) const {
    const VisibleVariables::One* const one = find(name);
    REQUIRE(one != nullptr);
    const auto known = values_.find(one->variable);
    return known == values_.end() ? std::nullopt : known->second[lane];
  }
  [[nodiscard]] std::optional<float> real(const std::string& name, std::uint32_t lane) const {
    const auto bits = value(name, lane);
    if (!bits) return std::nullopt;
    float number = 0;
    std::memcpy(&number, &*bits, sizeof number);
    return number;
  }

 private:
  const VariableRecord& variables_;
  std::uint32_t set_ = 0;
  std::map<std::uint32_t, std::array<std::optional<std::uint64_t>, 32>> values_;
};

/// The program, with its source.
class Followed {
 public:
  explicit Followed(const std::string& program, const std::string& what = "block=1")
      : recording_(Run(program, "--record-what " + what).recording()),
        block(recording_.blocks.at(0)),
        steps(steps_of(block)) {}

  /// Steps of the warp in lines with this text.
  [[nodiscard]] std::vector<std::uint32_t> in_line(const std::string& text,
                                                   std::uint32_t warp) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      const Instruction& instruction = block.instructions[steps[i].instruction];
      const File& file = recording_.files.at(instruction.file - 1);
      const std::string& line = file.lines.at(instruction.line - file.first_line);
      if (steps[i].warp == warp && line.find(text) != line.npos) found.push_back(i);
    }
    REQUIRE_FALSE(found.empty());
    return found;
  }
  [[nodiscard]] Seen after(const std::string& text, std::uint32_t warp) const {
    return {block, in_line(text, warp).back(), warp};
  }

 private:
  Recording recording_;

 public:
  const Block& block;
  std::vector<Step> steps;
};

}  // namespace

TEST_CASE("variables have each lane's value after a step", "[recordings]") {
  const Followed followed("recordings_variables");
  const Seen seen = followed.after("unsigned long long wide", 0);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t i = 48 + lane;
    CHECK(seen.value("i", lane) == i);
    CHECK(seen.value("n", lane) == 48u);
    CHECK(seen.value("pair.first", lane) == 3 * i);
    CHECK(seen.real("pair.second", lane) == 0.5f);
    CHECK(seen.value("even", lane) == (i % 2 == 0 ? 1u : 0u));
    CHECK(seen.value("wide", lane) == 0x123456789abcdefu + i);
    const std::uint32_t inner = lane < 20 ? i : 0;
    CHECK(seen.real("sums[0]", lane) == float(2 * inner + (lane < 20 ? 200 : 0)));
    CHECK(seen.real("sums[1]", lane) == 1.0f + float(inner + (lane < 20 ? 100 : 0)));
  }
  CHECK(seen.value("in", 0) != seen.value("out", 0));
  CHECK(followed.after("const int sum", 0).value("sum", 31) == 30u);
}

TEST_CASE("a loop's variable has the iteration's value, in lanes that take part", "[recordings]") {
  const Followed followed("recordings_variables");
  const std::vector<std::uint32_t> steps = followed.in_line("const int inner", 0);
  std::vector<std::uint64_t> iterations;
  for (const std::uint32_t step : steps) {
    const Seen seen(followed.block, step, 0);
    const std::uint64_t k = *seen.value("k", 0);
    if (iterations.empty() || iterations.back() != k) iterations.push_back(k);
    CHECK(followed.steps[step].lanes == 0xfffff);
    CHECK(seen.value("inner", 19) == 67 + 100 * k);
    CHECK_FALSE(seen.value("inner", 20));
  }
  CHECK(iterations == std::vector<std::uint64_t>{0, 1, 2});
}

TEST_CASE("a variable can be seen in its block only, and has a value when it is initialized",
          "[recordings]") {
  const Followed followed("recordings_variables");
  CHECK(followed.after("sums[k % 2]", 0).find("k") != nullptr);
  const Seen after_loop = followed.after("bool even", 0);
  CHECK(after_loop.find("k") == nullptr);
  CHECK(after_loop.find("inner") == nullptr);
  CHECK(after_loop.value("even", 0));
  CHECK_FALSE(after_loop.value("wide", 0));
  // What the compiler has removed has a name and no value.
  REQUIRE(after_loop.find("constant") != nullptr);
  CHECK_FALSE(after_loop.find("constant")->has_place);
  // The second warp has no thread that enters the branch.
  CHECK(followed.after("bool even", 1).real("sums[1]", 0) == 1.0f);
  CHECK_FALSE(after_loop.value("i", 31) == after_loop.value("i", 30));
  CHECK_FALSE(followed.after("bool even", 1).value("i", 16));
}

TEST_CASE("a function that calls itself has its own variables at each depth", "[recordings]") {
  const Followed followed("recordings_variables");
  std::vector<std::uint64_t> depths;
  for (const std::uint32_t step : followed.in_line("if (depth > 0)", 0)) {
    const Seen seen(followed.block, step, 0);
    if (seen.find("depth") == nullptr) continue;
    const std::uint64_t depth = *seen.value("depth", 5);
    if (depths.empty() || depths.back() != depth) depths.push_back(depth);
    CHECK(seen.find("i") == nullptr);
  }
  for (const std::uint32_t step : followed.in_line("return own", 0)) {
    const Seen seen(followed.block, step, 0);
    if (seen.find("depth") == nullptr) continue;
    depths.push_back(*seen.value("depth", 5));
    // The sum of what is below it.
    CHECK(seen.value("own", 5) == 5 * depths.back() * (depths.back() + 1));
  }
  CHECK(depths == std::vector<std::uint64_t>{2, 1, 0, 1, 2, 0, 1, 2});
}

TEST_CASE("variables do not change what else is recorded, and count for its limit",
          "[recordings]") {
  const Followed whole("recordings_variables");
  const Followed cut("recordings_variables", "block=1,bytes=1024");
  CHECK(cut.block.dropped > 0);
  CHECK(cut.block.steps.size() + cut.block.variables.changes.size() < 1624);
  CHECK(whole.block.dropped == 0);
  // What is left is the same.
  const auto [end, other] =
      std::ranges::mismatch(cut.steps, whole.steps, {}, &Step::instruction, &Step::instruction);
  CHECK(end == cut.steps.end());
  CHECK(other != whole.steps.end());
  CHECK(whole.block.variables.changes.starts_with(cut.block.variables.changes));
}

TEST_CASE("a program without debug information has no variables", "[recordings]") {
  const Recording recording = Run("recordings_scenes reduce").recording();
  CHECK(recording.blocks.front().variables.list.empty());
  CHECK(recording.blocks.front().variables.changes.empty());
}
