#include "harness/case/record.h"

#include <catch2/catch_test_macros.hpp>

#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

Record read(const std::string& text, const std::string& nonce = "abc") {
  const TemporaryFolder folder;
  folder.write("record.txt", text);
  return read_record(folder.path() / "record.txt", nonce);
}

}  // namespace

TEST_CASE("a record is complete only with the right nonce at its end", "[case][record]") {
  CHECK(read("started\ncalling\nreturned\ndone abc\n").complete());
  CHECK_FALSE(read("started\ncalling\nreturned\ndone abd\n").complete());
  CHECK_FALSE(read("started\ncalling\nreturned\n").complete());
  CHECK_FALSE(read("started\ncalling\ndone abc\n").complete());
  CHECK_FALSE(read("started\ncalling\nreturned\ndone abc\nreturned\n").complete());
  CHECK_FALSE(read("started\ncalling\nreturned\ndone \n", "").complete());
}

TEST_CASE("a missing record has no stage at all", "[case][record]") {
  CHECK(read_record("no-such-file", "abc").stage == Stage::none);
}

TEST_CASE("a record holds times, memory and findings", "[case][record]") {
  const Record record = read(
      "started\ndevice NVIDIA A100\ncalling\nreturned\nhost-seconds 0.25\nevent-ms 1.5\n"
      "free-before 1000\nfree-after 600\ninput-changed b 1 2\ncanary c before 8 16\ndone abc\n");
  CHECK(record.device == "NVIDIA A100");
  CHECK(record.host_seconds == 0.25);
  CHECK(record.event_ms == 1.5);
  CHECK(record.leaked_bytes() == 400);
  CHECK(record.input_changes.at(0).parameter == "b");
  CHECK(record.canary_hits.at(0).before);
  CHECK(record.canary_hits.at(0).distance == 8);
}

TEST_CASE("more free memory afterwards is not a leak", "[case][record]") {
  CHECK(
      read("started\ncalling\nreturned\nfree-before 1\nfree-after 2\ndone abc\n").leaked_bytes() ==
      0);
}

TEST_CASE("garbage in a record is skipped", "[case][record]") {
  std::string garbage = "started\n";
  garbage += std::string("\0\xff\x01 guard\n", 9);
  garbage += "free-before 99999999999999999999999\nhost-seconds nonsense\nunknown words\n";
  const Record record = read(garbage + "calling\n");
  CHECK(record.stage == Stage::calling);
  CHECK(record.free_before == 0);
  CHECK(record.host_seconds == 0);
}

TEST_CASE("a fault is an internal error only with this run's nonce and before the call",
          "[case][record]") {
  CHECK(read("started\nfault abc no device\n").harness_fault == "no device");
  CHECK(read("fault abc cannot read it\n").harness_fault == "cannot read it");
  CHECK(read("started\nfault abc no device\n").fault_before_code);
  // The submission's initializers have run by then, and the nonce is in their process.
  CHECK(read("started\nopened\nfault abc no device\n").harness_fault == "no device");
  CHECK_FALSE(read("started\nopened\nfault abc no device\n").fault_before_code);
  CHECK(read("started\nfault abc first\nopened\nfault abc second\n").harness_fault == "first");
  CHECK_FALSE(read("started\nfault no device\n").harness_fault);
  CHECK_FALSE(read("started\nfault abd no device\n").harness_fault);
  CHECK_FALSE(read("started\nfault  no device\n", "").harness_fault);
  CHECK_FALSE(read("started\ncalling\nfault abc no device\n").harness_fault);
  CHECK_FALSE(read("started\ncalling\nreturned\nfault abc no device\n").harness_fault);
  // A program that prints into the record cannot set the stage back.
  CHECK_FALSE(read("started\ncalling\nstarted\nfault abc no device\n").harness_fault);
}

TEST_CASE("an impossible time in a record is ignored", "[case][record]") {
  const Record record = read(
      "started\ncalling\nhost-seconds nan\nevent-ms -1\ntimed 0 nan 1\ntimed 0 1 inf\n"
      "timed 0 -1 1\ntimed 0 1e300 1\ntimed 0 0.5 0.75\n");
  CHECK(record.host_seconds == 0);
  CHECK(record.event_ms == 0);
  REQUIRE(record.timed_calls.size() == 1);
  CHECK(record.timed_calls[0].event_ms == 0.5);
}

TEST_CASE("texts and lists of a record are truncated", "[case][record]") {
  std::string text = "started\ndevice " + std::string(5000, 'd') + "\nlaunch-error 1 " +
                     std::string(5000, 'n') + " " + std::string(5000, 't') + "\n";
  for (int i = 0; i < 5000; ++i) text += "input-changed a 1 2\ncanary b before 1 1\n";
  const Record record = read(text);
  CHECK(record.device.size() == 300);
  CHECK(record.launch_error->name.size() == 100);
  CHECK(record.launch_error->text.size() == 300);
  CHECK(record.input_changes.size() == 64);
  CHECK(record.canary_hits.size() == 64);
}

TEST_CASE("an endless record is read to a limit", "[case][record]") {
  CHECK_FALSE(read(std::string(3000000, 'x') + "\nreturned\ndone abc\n").complete());
}

}  // namespace warpgrade
