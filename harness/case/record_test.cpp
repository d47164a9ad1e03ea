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

TEST_CASE("a missing record is no stage at all", "[case][record]") {
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

TEST_CASE("more free memory afterwards is no leak", "[case][record]") {
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

TEST_CASE("an endless record is read to a limit", "[case][record]") {
  CHECK_FALSE(read(std::string(3000000, 'x') + "\nreturned\ndone abc\n").complete());
}

}  // namespace warpgrade
