#include "harness/worker/request.h"

#include <catch2/catch_test_macros.hpp>

#include "harness/testing/temporary_folder.h"

namespace warpgrade::worker {

namespace {

/// What reading this text as a request complains about, without the file's path.
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

TEST_CASE("broken requests are answered with the line", "[worker][request]") {
  CHECK(complaint("hello\n") == ":1: not a request of version 1");
  CHECK(complaint("warpgrade-request 1\nnonce a\n") == ": ends without 'end'");
  CHECK(complaint("warpgrade-request 1\nnoise a\nend\n") == ":2: unknown key 'noise'");
  CHECK(complaint("warpgrade-request 1\narray a input host 4\nend\n") ==
        ":2: an array line is too short");
  CHECK(complaint("warpgrade-request 1\narray a input disk 4 1 0 0 f -\nend\n") ==
        ":2: unknown memory");
  CHECK(complaint("warpgrade-request 1\narray a input host 4 99999999999999 0 0 f -\nend\n") ==
        ":2: an array is too large");
  CHECK(complaint("warpgrade-request 1\nscalar n 123\nend\n") == ":2: a scalar is not whole bytes");
}

}  // namespace warpgrade::worker
