#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/read.h"
#include "emulator/record/schema.h"
#include "emulator/record/write.h"

namespace warpsim {
namespace {

using nlohmann::ordered_json;
using record::Document;
using record::Trust;

enum class Colour : std::uint8_t { red, blue };
constexpr auto names_of(Colour /*type*/) {
  return std::array<std::string_view, 2>{"red", "blue"};
}

struct Place {
  std::string file;
  std::uint32_t line = 0;
};
WARPGRADE_FIELDS(Place, file, line)

constexpr std::array<std::string_view, 2> kSizes = {"small", "large"};

struct Thing {
  Colour colour = Colour::red;
  Place from = {};
  std::string size = "large";
  std::string page = {};
  double ratio = 0;
  std::uint64_t count = 1;
  std::int64_t offset = 0;
  std::vector<std::string> words = {};
  std::map<std::string, double> counters = {};
  std::optional<Place> other = {};
  bool rare = false;
  std::string secret = {};
};
WARPGRADE_FIELDS(Thing, (colour, "As painted.", {.key = "paint"}), (from, "", {.flat = true}),
                 (size, "", {.one_of = kSizes}), (page, "", {.pattern = "^(P[1-9])?$"}),
                 (ratio, "", {.floats = record::Floats::any}), (count, "", {.from = 1}), offset,
                 (words, "", {.longest = 3, .at_most = 2}), counters,
                 (other, "", {.optional = true}), (rare, "", {.omit = true}),
                 (secret, "", {.only = Document::grade}))

ordered_json written(const Thing& thing) {
  return record::Writer<Document::run>::json(thing);
}

template <Trust kTrust>
Thing read(const ordered_json& document) {
  Thing thing;
  record::Reader<Document::run, kTrust>([](std::string text, std::size_t longest) {
    return text.substr(0, longest);
  }).read(document, thing);
  return thing;
}

TEST_CASE("fields are written by their keys, those of other documents are not", "[record][unit]") {
  Thing thing{.colour = Colour::blue, .from = {.file = "a.cu", .line = 7}, .secret = "x"};
  thing.ratio = std::numeric_limits<double>::infinity();
  const ordered_json document = written(thing);
  CHECK(document.at("paint") == "blue");
  CHECK(document.at("file") == "a.cu");
  CHECK(document.at("line") == 7);
  CHECK(document.at("ratio") == "inf");
  CHECK(document.at("other").is_null());
  CHECK_FALSE(document.contains("from"));
  CHECK_FALSE(document.contains("rare"));
  CHECK_FALSE(document.contains("secret"));
  thing.rare = true;
  CHECK(written(thing).at("rare") == true);
  CHECK(record::Writer<Document::grade>::json(thing).at("secret") == "x");
}

TEST_CASE("what was written is read", "[record][unit]") {
  Thing thing{.colour = Colour::blue, .from = {.file = "a.cu", .line = 7}, .page = "P3"};
  thing.ratio = std::numeric_limits<double>::quiet_NaN();
  thing.offset = -8;
  thing.words = {"one", "two"};
  thing.counters = {{"x", 1.5}};
  thing.other = Place{.file = "b.cu", .line = 9};
  const Thing back = read<Trust::whole>([&] {
    ordered_json document = written(thing);
    document["rare"] = false;  // a whole document has all members
    return document;
  }());
  CHECK(written(back) == written(thing));
  CHECK(std::isnan(back.ratio));
}

TEST_CASE("a member that a document lacks is an error, a default, or allowed", "[record][unit]") {
  ordered_json document = written({});
  document.erase("size");
  CHECK_THROWS_AS(read<Trust::whole>(document), nlohmann::json::exception);
  CHECK_THROWS_AS(read<Trust::hostile>(document), nlohmann::json::exception);
  CHECK(read<Trust::old>(document).size == "large");
  document = written({});
  document["ratio"] = 1;
  document.erase("other");
  CHECK_FALSE(read<Trust::hostile>(document).other);
}

TEST_CASE("what a hostile document has is cut to its limits, or keeps the default",
          "[record][unit]") {
  ordered_json document = written({});
  document["ratio"] = 1e300;
  document["count"] = 0;
  document["offset"] = -1e30;
  document["line"] = 1e12;
  document["words"] = {"longer", "b", "c"};
  document["size"] = "huge";
  document["page"] = "<script>";
  document["paint"] = "green";
  document["counters"] = {{"bad key", 1}, {"x", -3}};
  const Thing thing = read<Trust::hostile>(document);
  CHECK(thing.ratio == record::kLargestNumber);
  CHECK(thing.count == 1);
  CHECK(thing.offset == -static_cast<std::int64_t>(record::kMostCount));
  CHECK(thing.from.line == record::kMostLine);
  CHECK(thing.words == std::vector<std::string>{"lon", "b"});
  CHECK(thing.size == "large");
  CHECK(thing.page.empty());
  CHECK(thing.colour == Colour::red);
  CHECK(thing.counters == std::map<std::string, double>{{"x", 0}});
  CHECK_THROWS_AS(read<Trust::old>(document), record::BadName);
}

TEST_CASE("a schema has the keys, types and limits of the fields", "[record][unit]") {
  record::SchemaWriter<Document::run> writer;
  const ordered_json schema = writer.object<Thing>();
  const ordered_json& properties = schema.at("properties");
  CHECK(properties.at("paint") ==
        ordered_json{{"description", "As painted."}, {"enum", {"red", "blue"}}});
  CHECK(properties.at("line") == ordered_json{{"type", "integer"}, {"minimum", 0}});
  CHECK(properties.at("offset") == ordered_json{{"type", "integer"}});
  CHECK(properties.at("words").at("maxItems") == 2);
  CHECK(properties.at("other").at("anyOf").at(1).at("$ref") == "#/definitions/Place");
  CHECK(writer.definitions().contains("Place"));
  CHECK_FALSE(properties.contains("secret"));
  const ordered_json& required = schema.at("required");
  CHECK(std::count(required.begin(), required.end(), "file") == 1);
  CHECK(std::count(required.begin(), required.end(), "rare") == 0);
}

}  // namespace
}  // namespace warpsim
