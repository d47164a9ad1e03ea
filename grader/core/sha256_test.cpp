#include "grader/core/sha256.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

std::string sha256(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  return sha.hex();
}

TEST_CASE("SHA-256 gives the digests of the standard's examples", "[core][sha256]") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on how the bytes are split", "[core][sha256]") {
  const std::string text(200, 'x');
  for (std::size_t cut = 0; cut <= text.size(); cut += 7) {
    Sha256 sha;
    sha.add(text.substr(0, cut));
    sha.add(text.substr(cut));
    CHECK(sha.hex() == sha256(text));
  }
}

TEST_CASE("a digest in base64 equals the one in hex", "[core][sha256]") {
  Sha256 sha;
  sha.add("abc");
  CHECK(sha.base64() == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST_CASE("fields that only share their concatenation have different digests", "[core][sha256]") {
  Sha256 one;
  one.add_field("ab");
  one.add_field("c");
  Sha256 other;
  other.add_field("a");
  other.add_field("bc");
  CHECK(one.hex() != other.hex());
}

}  // namespace
}  // namespace warpgrade
