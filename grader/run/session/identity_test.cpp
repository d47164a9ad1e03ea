#include "grader/run/session/identity.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

TEST_CASE("a lab is another one when a file of its datasets has changed", "[session][identity]") {
  const ScratchFolder root;
  Lab lab;
  lab.id = "demo";
  lab.root = root.path();
  lab.folder = root.path() / "labs/demo";
  const std::string without = identity_of_lab(lab);
  write_file_atomically(root.path() / "datasets/demo/0/in.raw", "1\n5\n");
  const std::string with = identity_of_lab(lab);
  CHECK(with != without);
  write_file_atomically(root.path() / "datasets/demo/0/in.raw", "1\n6\n");
  CHECK(identity_of_lab(lab) != with);
  CHECK(identity_of_lab(lab) == identity_of_lab(lab));
}

TEST_CASE("a lab's rules are the same when only its sentences have changed",
          "[session][identity]") {
  const ScratchFolder root;
  Lab lab;
  lab.id = "demo";
  lab.root = root.path();
  lab.folder = root.path() / "labs/demo";
  const auto rules = [&](const std::string& text) {
    write_file_atomically(lab.folder / "lab.toml", text);
    return identity_of_rules(lab);
  };
  const std::string before =
      rules("[[concept]]\nid = 'once'\ntitle = 'A'\nexpected = 2.0\nlist = [1, 2]\n");
  CHECK(rules("# A comment.\n[[concept]]\nid = \"once\"\ntitle = 'B'\nexpected = 2.00\n"
              "list = [\n  1,\n  2]\n") == before);
  CHECK(rules("[[concept]]\nid = 'once'\ntitle = 'A'\nexpected = 3.0\nlist = [1, 2]\n") != before);
  CHECK(rules("[[concept]]\nid = 'once'\ntitle = 'A'\nexpected = 2.0\nlist = [2, 1]\n") != before);
  CHECK(rules("[[clue]]\nid = 'once'\ntitle = 'A'\nexpected = 2.0\nlist = [1, 2]\n") != before);
  write_file_atomically(root.path() / "datasets/demo.toml", "n = 1\n");
  CHECK(rules("[[concept]]\nid = 'once'\ntitle = 'A'\nexpected = 2.0\nlist = [1, 2]\n") != before);
}

TEST_CASE("a case is another one when what its dataset gives, or what is printed, is another",
          "[session][identity]") {
  Case spec;
  spec.data.given["in"] = {.name = "", .text = "1 2"};
  const std::string before = identity_of_case(spec);
  Case other = spec;
  other.data.given["in"].text = "1 3";
  CHECK(identity_of_case(other) != before);
  other = spec;
  other.program.prints = {"PASSED"};
  CHECK(identity_of_case(other) != before);
  other = spec;
  other.program.arguments.emplace();
  CHECK(identity_of_case(other) != before);
}

}  // namespace
}  // namespace warpgrade
