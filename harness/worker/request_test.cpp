#include "harness/worker/request.h"

#include <catch2/catch_test_macros.hpp>

#include "harness/testing/temporary_folder.h"

namespace warpgrade::worker {

namespace {

/// The error message for this request, without the file's path.
std::string complaint(const std::string& text) {
  const TemporaryFolder folder;
  folder.write("request.txt", text);
  const std::string file = (folder.path() / "request.txt").string();
  try {
    (void)read_request(file);
  } catch (const RequestError& error) {
    return std::string(error.what()).substr(file.size());
  }
  return "accepted";
}

}  // namespace

TEST_CASE("invalid requests are reported with the line", "[worker][request]") {
  CHECK(complaint("hello\n") == ":1: not a request of version 1");
  CHECK(complaint("warpgrade-request 1\nnonce a\n") == ": ends without 'end'");
  CHECK(complaint("warpgrade-request 1\nnoise a\nend\n") == ":2: unknown key 'noise'");
  CHECK(complaint("warpgrade-request 1\narray a input host 4\nend\n") ==
        ":2: an array line is too short");
  CHECK(complaint("warpgrade-request 1\narray a input disk 4 1 0 0 f -\nend\n") ==
        ":2: unknown memory");
  CHECK(complaint("warpgrade-request 1\narray a input host 4 99999999999999 0 0 f -\nend\n") ==
        ":2: an array is too large");
  CHECK(complaint("warpgrade-request 1\narray a output host 4 1 0 a5a5 - g\nend\n") ==
        ":2: the poison is not one element");
  CHECK(complaint("warpgrade-request 1\ntimed turns.txt\nend\n") ==
        ":2: a timed line names the file of turns and the clocks");
  CHECK(complaint("warpgrade-request 1\nscalar n 123\nend\n") == ":2: a scalar is not whole bytes");
}

TEST_CASE("an array may be in any memory and of structures, and a stream is an argument",
          "[worker][request]") {
  const TemporaryFolder folder;
  folder.write("request.txt",
               "warpgrade-request 1\narray a output mapped 12 5 1 000102030405060708090a0b - g\n"
               "stream s\nend\n");
  const Request request = read_request((folder.path() / "request.txt").string());
  REQUIRE(request.arguments.size() == 2);
  const Argument& array = request.arguments[0];
  CHECK(array.memory == ArrayPlace::mapped);
  CHECK(array.on_host());
  CHECK(array.size_bytes() == 60);
  CHECK(array.alignment() == 4);
  CHECK(array.poison.at(11) == std::byte{0x0b});
  CHECK(request.arguments[1].is_stream);
  CHECK_FALSE(request.arguments[1].is_array());
}

TEST_CASE("a request of timed calls names the file of its commands", "[worker][request][timing]") {
  const TemporaryFolder folder;
  folder.write("request.txt", "warpgrade-request 1\ntimed turns.txt both\nend\n");
  const Request request = read_request((folder.path() / "request.txt").string());
  REQUIRE(request.timed.has_value());
  CHECK(request.timed->turns == "turns.txt");
  CHECK(request.timed->host_clock_counts);
  CHECK_FALSE(request.timed->processor.has_value());
  CHECK(request.path("turns.txt") == (folder.path() / "turns.txt").string());
  CHECK(request.path("/data/in.bin") == "/data/in.bin");
}

TEST_CASE("a request of timed calls may name the processor that calls",
          "[worker][request][timing]") {
  const TemporaryFolder folder;
  folder.write("request.txt", "warpgrade-request 1\ntimed turns.txt events 5\nend\n");
  const Request request = read_request((folder.path() / "request.txt").string());
  REQUIRE(request.timed.has_value());
  CHECK(request.timed->processor == 5);
}

TEST_CASE("a command says what to do and on which parts of the inputs",
          "[worker][request][timing]") {
  CHECK(read_turn("stop", 2).kind == Turn::Kind::stop);
  CHECK(read_turn("warm 3 4", 2).kind == Turn::Kind::warm);
  CHECK(read_turn("save", 2).kind == Turn::Kind::save);
  const Turn turn = read_turn("run 7 0", 2);
  CHECK(turn.kind == Turn::Kind::run);
  CHECK(turn.windows == std::vector<std::size_t>{7, 0});
  CHECK(read_turn("run", 0).windows.empty());
  CHECK_THROWS_AS(read_turn("run 7", 2), RequestError);
  CHECK_THROWS_AS(read_turn("run keep 7", 2), RequestError);
  CHECK_THROWS_AS(read_turn("walk", 0), RequestError);
}

}  // namespace warpgrade::worker
