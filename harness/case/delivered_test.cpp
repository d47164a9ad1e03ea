#include "harness/case/delivered.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <utility>

#include "emulator/cudart/outputs_file.h"
#include "harness/case/output.h"
#include "harness/case/request.h"
#include "harness/data/poison.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

using warpsim::cudart::DeliveredArray;
using warpsim::cudart::DeliveredCall;

constexpr std::size_t kCount = 100;

Parameter array(const char* name, Role role, Memory memory) {
  Parameter parameter;
  parameter.name = name;
  parameter.role = role;
  parameter.type = ElementType::f32;
  parameter.memory = memory;
  parameter.shape = {Expression("n")};
  return parameter;
}

/// A run of a function with an input on the device and an output on the host.
class Run {
 public:
  Run() {
    lab_.parameters = {array("x", Role::input, Memory::device),
                       array("y", Role::output, Memory::host)};
    Case spec;
    spec.name = "one";
    spec.data.dims = {{"n", kCount}};
    lab_.cases.push_back(spec);
    auto data = std::make_shared<CaseData>();
    data->lab = &lab_;
    data->spec = lab_.cases.data();
    data->inputs.emplace("x", Array(ElementType::f32, {kCount}));
    prepared = prepare_case(data, folder.path() / "case");
    call.arrays.push_back(
        {.name = "x", .bytes = kCount * 4, .element_bytes = 4, .is_input = true, .content = {}});
    call.arrays.push_back({.name = "y",
                           .bytes = kCount * 4,
                           .element_bytes = 4,
                           .is_output = true,
                           .on_host = true,
                           .content = std::vector<std::byte>(kCount * 4, std::byte{3})});
  }

  Delivery take() {
    REQUIRE(warpsim::cudart::write_outputs(folder.path() / "outputs", call));
    return take_delivery(prepared, folder.path() / "outputs");
  }
  [[nodiscard]] std::optional<Array> output() const {
    return read_output(prepared, lab_.parameters[1]);
  }

  /// The output is what the function returns.
  void return_it() { lab_.parameters[1].is_returned = true; }

  TemporaryFolder folder;
  PreparedCase prepared;
  DeliveredCall call;

 private:
  Lab lab_;
};

}  // namespace

TEST_CASE("delivered outputs replace what the worker wrote", "[case][delivered]") {
  Run run;
  run.folder.write("case/out-y.bin", std::string(kCount * 4, 'w'));
  const Delivery delivery = run.take();
  CHECK(delivery.complete);
  CHECK(delivery.violation.empty());
  CHECK_FALSE(delivery.foreign);
  REQUIRE(run.output());
  CHECK(run.output()->bytes == run.call.arrays[1].content);
}

TEST_CASE("without a device process the worker's outputs count", "[case][delivered]") {
  Run run;
  run.folder.write("case/out-y.bin", std::string(kCount * 4, 'w'));
  REQUIRE(run.output());
  CHECK(run.output()->bytes == std::vector<std::byte>(kCount * 4, std::byte{'w'}));
}

TEST_CASE("a link in an output's place is not followed", "[case][delivered]") {
  Run run;
  run.folder.write("victim", "untouched");
  std::filesystem::create_symlink(run.folder.path() / "victim", run.prepared.folder / "out-y.bin");
  CHECK(run.take().complete);
  CHECK(run.output());
  CHECK(run.folder.read("victim") == "untouched");
}

TEST_CASE("without a delivery the worker's outputs do not count", "[case][delivered]") {
  Run run;
  run.folder.write("case/out-y.bin", std::string(kCount * 4, 'w'));
  const Delivery delivery = take_delivery(run.prepared, run.folder.path() / "missing");
  CHECK_FALSE(delivery.complete);
  CHECK(delivery.violation.empty());
  CHECK_FALSE(run.output());

  Run stopped;
  stopped.call = {.violation = "called launch after the harness's call had ended", .arrays = {}};
  CHECK(stopped.take().violation == stopped.call.violation);
  CHECK_FALSE(stopped.output());
}

TEST_CASE("arrays that are not the harness's are a violation", "[case][delivered]") {
  const auto violation_after = [](const auto& change) {
    Run run;
    change(run.call.arrays);
    const Delivery delivery = run.take();
    CHECK(delivery.complete == delivery.violation.empty());
    CHECK(run.output().has_value() == delivery.complete);
    return delivery.violation;
  };
  const std::string kOther = "announced a call with other arrays than the harness's";
  using Arrays = std::vector<DeliveredArray>;
  CHECK(violation_after([](Arrays&) {}).empty());
  CHECK(violation_after([](Arrays& a) { a.pop_back(); }) == kOther);
  CHECK(violation_after([](Arrays& a) { a.push_back(a[0]); }) == kOther);
  CHECK(violation_after([](Arrays& a) { a[1].name = "z"; }) == kOther);
  CHECK(violation_after([](Arrays& a) { a[1].on_host = false; }) == kOther);
  CHECK(violation_after([](Arrays& a) { a[1].bytes -= 4; }) == kOther);
  CHECK(violation_after([](Arrays& a) { a[1].element_bytes = 8; }) == kOther);
  CHECK(violation_after([](Arrays& a) { a[1].is_input = true; }) == kOther);
  CHECK(violation_after([](Arrays& a) { a[0].is_input = false; }) == kOther);
  CHECK(violation_after([](Arrays& a) { std::swap(a[0], a[1]); }) == kOther);
}

TEST_CASE("an output whose memory was released is as before the call", "[case][delivered]") {
  Run run;
  run.call.arrays[1].lost = true;
  run.call.arrays[1].content.clear();
  CHECK(run.take().complete);
  const auto y = run.output();
  REQUIRE(y);
  for (std::size_t i = 0; i < kCount; ++i) {
    CHECK(is_poison(y->bytes.data() + i * 4, ElementType::f32, 4));
  }
}

TEST_CASE("few bytes may be combined by host code, from many that the device has sent",
          "[case][delivered]") {
  const auto is_foreign = [](std::uint64_t bytes, std::uint64_t sent) {
    Run run;
    run.call.arrays[1].foreign_bytes = bytes;
    run.call.arrays[1].first_foreign = 12;
    run.call.sent_bytes = sent;
    const auto foreign = run.take().foreign;
    if (foreign) CHECK(foreign->first_element == 3);
    return foreign.has_value();
  };
  CHECK_FALSE(is_foreign(0, 0));
  CHECK_FALSE(is_foreign(4, 64));
  CHECK(is_foreign(4, 63));
  CHECK_FALSE(is_foreign(64, 1024));
  CHECK(is_foreign(68, 1 << 20));
  CHECK(is_foreign(4, 0));
}

TEST_CASE("a value that the function returns may be one that the device has not sent",
          "[case][delivered]") {
  Run run;
  run.return_it();
  run.call.arrays[1].foreign_bytes = 400;
  CHECK_FALSE(run.take().foreign);
}

}  // namespace warpgrade
