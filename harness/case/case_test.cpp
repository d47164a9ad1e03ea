#include "harness/case/case.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <functional>

#include "harness/case/request.h"
#include "harness/testing/temporary_folder.h"
#include "harness/worker/request.h"

namespace warpgrade {

namespace {

const Lab& vecadd() {
  static const Lab lab = load_lab(std::filesystem::path(WARPGRADE_SOURCE_ROOT) / "labs/vecadd");
  return lab;
}

const GoldenLibrary& golden() {
  static const GoldenLibrary library(golden_file(WARPGRADE_BUILD_ROOT "/lib", vecadd()));
  return library;
}

std::shared_ptr<const CaseData> data_of(const char* name, const Secret& secret = {}) {
  return make_case_data(vecadd(), *vecadd().find_case(name), secret, golden());
}

const std::string kFinished = "started\ndevice Test\ncalling\nreturned\n";

/// Simulates the worker: writes c, the right output after `change`, and a record, in which NONCE is
/// replaced by the run's nonce.
CaseResult judged(const char* name, const std::function<void(std::span<float>)>& change,
                  std::string record = kFinished, bool complete = true) {
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(data_of(name), folder.path() / "case");
  Array c(ElementType::f32, {prepared.data->expected.at("c").count()});
  for (std::size_t i = 0; i < c.count(); ++i) {
    c.as<float>()[i] = static_cast<float>(prepared.data->expected.at("c").want[i]);
  }
  change(c.as<float>());
  folder.write("case/out-c.bin",
               std::string(reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size()));
  if (const std::size_t at = record.find("NONCE"); at != std::string::npos) {
    record.replace(at, 5, prepared.nonce);
  }
  if (complete) record += "done " + prepared.nonce + "\n";
  folder.write("case/record.txt", record);
  return judge_case(prepared);
}

void leave(std::span<float>) {}

}  // namespace

TEST_CASE("the golden sum is that of the inputs, with one rounding as the bound", "[case][data]") {
  const auto data = data_of("a hundred");
  const auto a = data->inputs.at("a").as<float>();
  const auto b = data->inputs.at("b").as<float>();
  const Expected& c = data->expected.at("c");
  REQUIRE(c.count() == 100);
  for (std::size_t i = 0; i < 100; ++i) {
    const double sum = static_cast<double>(a[i]) + static_cast<double>(b[i]);
    CHECK(c.want[i] == sum);
    CHECK(c.bound[i] >= 0x1p-24 * std::abs(sum));
    CHECK(c.bound[i] <= 0x1.1p-24 * std::abs(sum) + 1e-40);
  }
}

TEST_CASE("a float sum, rounded once, is inside the bound in every case of the lab",
          "[case][data]") {
  for (const Case& spec : vecadd().cases) {
    const auto data = make_case_data(vecadd(), spec, {}, golden());
    const auto a = data->inputs.at("a").as<float>();
    const auto b = data->inputs.at("b").as<float>();
    Array c(ElementType::f32, {a.size()});
    for (std::size_t i = 0; i < a.size(); ++i) c.as<float>()[i] = a[i] + b[i];
    INFO(spec.name);
    CHECK(compare(c, data->expected.at("c")).passed());
  }
}

TEST_CASE("a sum in less than float's precision is outside the bound", "[case][data]") {
  const auto data = data_of("one short of a block");
  Array c(ElementType::f32, {255});
  for (std::size_t i = 0; i < 255; ++i) {
    // TF32 keeps 10 bits of the 23.
    auto& bits = c.as<std::uint32_t>()[i];
    c.as<float>()[i] = static_cast<float>(data->expected.at("c").want[i]);
    bits &= 0xffffe000U;
  }
  CHECK(compare(c, data->expected.at("c")).mismatches > 200);
}

TEST_CASE("a secret changes hidden cases and no visible one", "[case][data]") {
  const Secret secret{.text = "spring/s01/1"};
  CHECK(data_of("tail")->inputs.at("a").bytes == data_of("tail", secret)->inputs.at("a").bytes);
  CHECK(data_of("prime")->inputs.at("a").bytes != data_of("prime", secret)->inputs.at("a").bytes);
  CHECK(data_of("prime")->inputs.at("a").bytes != data_of("prime")->inputs.at("b").bytes);
}

TEST_CASE("a request has everything that the worker needs and nothing for judging",
          "[case][request]") {
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(data_of("misaligned"), folder.path());
  CHECK(folder.read("request.txt") == "warpgrade-request 1\nnonce " + prepared.nonce +
                                          "\nrecord record.txt\n"
                                          "array a input host 4 5000 1 a5a5f5ff in-a.bin -\n"
                                          "array b input host 4 5000 2 a5a5f5ff in-b.bin -\n"
                                          "array c output host 4 5000 3 a5a5f5ff - out-c.bin\n"
                                          "scalar n 88130000\n"
                                          "end\n");
  CHECK(folder.read("in-a.bin").size() == 20000);
  CHECK(prepared.nonce.size() == 32);
}

TEST_CASE("the worker reads the request that the parent writes", "[case][request]") {
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(data_of("misaligned"), folder.path());
  const worker::Request request = worker::read_request(prepared.request.string());
  CHECK(request.nonce == prepared.nonce);
  CHECK(request.path("x") == (folder.path() / "x").string());
  REQUIRE(request.arguments.size() == 4);
  const worker::Argument& c = request.arguments[2];
  CHECK(c.name == "c");
  CHECK(c.is_output);
  CHECK_FALSE(c.is_input);
  CHECK(c.memory == worker::ArrayPlace::host);
  CHECK(c.size_bytes() == 20000);
  CHECK(c.offset == 3);
  CHECK(c.poison ==
        std::vector<std::byte>{std::byte{0xa5}, std::byte{0xa5}, std::byte{0xf5}, std::byte{0xff}});
  const worker::Argument& n = request.arguments[3];
  CHECK_FALSE(n.is_array());
  CHECK(n.scalar ==
        std::vector<std::byte>{std::byte{0x88}, std::byte{0x13}, std::byte{0}, std::byte{0}});
}

TEST_CASE("preparing a case removes what an earlier run left", "[case][prepare]") {
  const TemporaryFolder folder;
  folder.write("record.txt", "started\n");
  folder.write("out-c.bin", "stale");
  const PreparedCase prepared = prepare_case(data_of("a hundred"), folder.path());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "record.txt"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out-c.bin"));
  CHECK(prepare_case(data_of("a hundred"), folder.path()).nonce != prepared.nonce);
}

TEST_CASE("a right output with a complete record passes", "[case][judge]") {
  const CaseResult result = judged("a hundred", leave);
  CHECK(result.status == CaseStatus::passed);
  CHECK(result.message.empty());
  REQUIRE(result.outputs.size() == 1);
  CHECK(result.outputs[0].shape == std::vector<std::uint64_t>{100});
  CHECK(result.worst()->comparison.worst_ratio <= 1);
  CHECK(result.record.device == "Test");
}

TEST_CASE("an empty output passes", "[case][judge]") {
  CHECK(judged("nothing to do", leave).status == CaseStatus::passed);
}

TEST_CASE("a wrong output fails with its pattern", "[case][judge]") {
  const CaseResult result = judged("a hundred", [](std::span<float> c) { c[99] += 1; });
  CHECK(result.status == CaseStatus::wrong);
  CHECK(result.message ==
        "`c` is wrong at 1 of 100 elements. Only the last element, 99, has a wrong value.");
  CHECK(result.worst()->pattern.kind == PatternKind::last_element_only);
  CHECK(result.worst()->comparison.first.at(0).index == 99);
}

TEST_CASE("a right output without the nonce does not count", "[case][judge]") {
  const CaseResult result = judged("a hundred", leave, kFinished, false);
  CHECK(result.status == CaseStatus::incomplete);
  CHECK(result.outputs.empty());
  CHECK(result.message ==
        "The program ended after the function returned, before the harness finished.");
}

TEST_CASE("an incomplete record tells the program's progress", "[case][judge]") {
  CHECK(judged("a hundred", leave, "", false).message ==
        "The program ended before the harness began.");
  CHECK(judged("a hundred", leave, "started\n", false).message ==
        "The program ended before the function was called.");
  CHECK(judged("a hundred", leave, "started\ncalling\n", false).message ==
        "The program ended inside the function, before the harness finished.");
  CHECK(judged("a hundred", leave, "started\nfault NONCE no CUDA device\n", false).message ==
        "The harness could not run: no CUDA device.");
}

TEST_CASE("a fault in a guard is explained", "[case][judge]") {
  const CaseResult result =
      judged("a hundred", leave, "started\ncalling\nguard a after 4 read\n", false);
  CHECK(result.message ==
        "Host code read past the end of the host buffer `a`; it was stopped 4 bytes after the last "
        "element.");
  CHECK(result.pitfall == "P45");
}

TEST_CASE("a pending CUDA error fails a case whose output is right", "[case][judge]") {
  const CaseResult result =
      judged("a hundred", leave,
             kFinished + "launch-error 9 cudaErrorInvalidConfiguration invalid configuration\n");
  CHECK(result.status == CaseStatus::cuda_error);
  CHECK(result.message ==
        "A CUDA error was pending when the function returned: cudaErrorInvalidConfiguration (9: "
        "invalid configuration).");
  CHECK(result.pitfall == "P15");
  CHECK(result.worst()->comparison.passed());
}

TEST_CASE("a kernel's fault and an unchecked call point to different pitfalls", "[case][judge]") {
  const CaseResult kernel =
      judged("a hundred", leave, kFinished + "sync-error 700 cudaErrorIllegalAddress bad\n");
  CHECK(kernel.status == CaseStatus::cuda_error);
  CHECK(kernel.pitfall == "P42");
  const CaseResult call = judged(
      "a hundred", leave, kFinished + "launch-error 2 cudaErrorMemoryAllocation out of memory\n");
  CHECK(call.pitfall == "P41");
}

TEST_CASE("a modified input and an overwritten canary fail a case", "[case][judge]") {
  const CaseResult input = judged("a hundred", leave, kFinished + "input-changed a 3 97\n");
  CHECK(input.status == CaseStatus::broke_contract);
  CHECK(input.message == "The input `a` was modified: 97 elements, the first at index 3.");
  const CaseResult canary = judged("a hundred", leave, kFinished + "canary c after 1 4\n");
  CHECK(canary.status == CaseStatus::broke_contract);
  CHECK(canary.message ==
        "Memory after the buffer `c` was overwritten: 4 bytes, the nearest 1 byte after the last "
        "element.");
}

TEST_CASE("a truncated output does not count", "[case][judge]") {
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(data_of("a hundred"), folder.path());
  folder.write("out-c.bin", std::string(399, '\0'));
  folder.write("record.txt", kFinished + "done " + prepared.nonce + "\n");
  CHECK(judge_case(prepared).status == CaseStatus::incomplete);
}

}  // namespace warpgrade
