#include "grader/run/session/recent_data.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

constexpr std::size_t kBytes = 1000;  // of each case

std::shared_ptr<const CaseData> data_of(const Case& spec) {
  auto data = std::make_shared<CaseData>();
  data->spec = &spec;
  data->inputs.emplace("a", Array(ElementType::u8, {kBytes - 8}));
  data->expected["c"] = {.type = ElementType::i64, .want = {}, .bound = {}, .exact = {7}};
  return data;
}

TEST_CASE("data are found by their case and secret", "[session][data]") {
  const Case one;
  const Case other;
  RecentData recent(10 * kBytes);
  const auto data = data_of(one);
  recent.keep({"ada"}, data);
  CHECK(recent.find(one, {"ada"}) == data);
  CHECK(recent.find(one, {"bob"}) == nullptr);
  CHECK(recent.find(other, {"ada"}) == nullptr);
}

TEST_CASE("the least recently used data are dropped first", "[session][data]") {
  const Case cases[3];
  RecentData recent(2 * kBytes);
  recent.keep({}, data_of(cases[0]));
  recent.keep({}, data_of(cases[1]));
  CHECK(recent.find(cases[0], {}) != nullptr);
  recent.keep({}, data_of(cases[2]));
  CHECK(recent.find(cases[0], {}) != nullptr);
  CHECK(recent.find(cases[1], {}) == nullptr);
  CHECK(recent.find(cases[2], {}) != nullptr);
  CHECK(recent.bytes() == 2 * kBytes);
}

TEST_CASE("data larger than the limit are not cached, and evict nothing", "[session][data]") {
  const Case small;
  const Case large;
  RecentData recent(kBytes);
  recent.keep({}, data_of(small));
  auto data = std::make_shared<CaseData>(*data_of(large));
  data->inputs.emplace("b", Array(ElementType::u8, {1}));
  recent.keep({}, data);
  CHECK(recent.find(large, {}) == nullptr);
  CHECK(recent.find(small, {}) != nullptr);
}

TEST_CASE("a finished submission leaves no data behind", "[session][data]") {
  const Case spec;
  RecentData recent(10 * kBytes);
  recent.keep({"ada"}, data_of(spec));
  recent.keep({"bob"}, data_of(spec));
  recent.forget({"ada"});
  CHECK(recent.find(spec, {"ada"}) == nullptr);
  CHECK(recent.find(spec, {"bob"}) != nullptr);
  CHECK(recent.bytes() == kBytes);
}

}  // namespace
}  // namespace warpgrade
