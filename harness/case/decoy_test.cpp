#include "harness/case/decoy.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "harness/case/request.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

const std::filesystem::path kRoot = WARPGRADE_SOURCE_ROOT;

const Lab& lab_named(const std::string& id) {
  static std::map<std::string, Lab> labs;
  const auto found = labs.find(id);
  return found != labs.end() ? found->second
                             : labs.emplace(id, load_lab(kRoot / "labs" / id)).first->second;
}

GoldenLibrary golden_of(const Lab& lab) {
  return GoldenLibrary(golden_file(WARPGRADE_BUILD_ROOT "/lib", lab));
}

std::shared_ptr<const CaseData> data_of(const Lab& lab, const std::string& name) {
  return make_case_data(lab, *lab.find_case(name), {}, golden_of(lab));
}

/// The counts for this output `c`.
DecoyFits fits_of(const std::shared_ptr<const CaseData>& host, const CaseData& device,
                  const std::vector<float>& c) {
  const TemporaryFolder folder;
  const PreparedCase prepared = prepare_case(host, folder.path() / "case");
  folder.write("case/" + output_file("c"),
               std::string(reinterpret_cast<const char*>(c.data()), c.size() * sizeof(float)));
  const auto fits = count_fits(prepared, device);
  REQUIRE(fits);
  return *fits;
}

std::vector<float> sums(const CaseData& data) {
  const auto& want = data.expected.at("c").want;
  return {want.begin(), want.end()};
}

}  // namespace

TEST_CASE("each value of a decoy's inputs follows from the value that the host has",
          "[case][decoy]") {
  const Lab& lab = lab_named("histogram");
  const auto data = data_of(lab, lab.performance_case);
  const auto decoy = make_decoy(*data, "draw", golden_of(lab));
  REQUIRE(decoy);
  const auto from = data->inputs.at("values").as<std::uint32_t>();
  const auto to = decoy->inputs.at("values").as<std::uint32_t>();
  std::map<std::uint32_t, std::uint32_t> becomes;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    REQUIRE(becomes.try_emplace(from[i], to[i]).first->second == to[i]);
    REQUIRE(to[i] <= 255);  // the dataset's largest
    changed += from[i] == to[i] ? 0 : 1;
  }
  CHECK(changed > from.size() / 2);
  CHECK(becomes.at(0) == 0);
  CHECK(becomes.at(1) == 1);
}

TEST_CASE("the decoy of ordered inputs is as ordered, also around values that stay",
          "[case][decoy]") {
  const Lab& lab = lab_named("vecadd");
  Case spec = *lab.find_case("a hundred");
  const GoldenLibrary golden = golden_of(lab);
  spec.data.fills.at("a").distribution = Distribution::sorted;
  spec.data.fills.at("b").distribution = Distribution::descending;
  CaseData data = *make_case_data(lab, spec, {}, golden);
  // Two values that are never replaced, and one that both inputs have.
  const auto a = data.inputs.at("a").as<float>();
  const auto b = data.inputs.at("b").as<float>();
  a[20] = 0;
  a[30] = 1;
  std::ranges::sort(a);
  b[10] = a[70];
  std::ranges::sort(b, std::greater<>());
  data.expected = golden.expect(lab, spec, data.inputs);
  for (const char* draw : {"one", "two", "three"}) {
    const auto decoy = make_decoy(data, draw, golden);
    REQUIRE(decoy);
    CHECK(std::ranges::is_sorted(decoy->inputs.at("a").as<float>()));
    CHECK(std::ranges::is_sorted(decoy->inputs.at("b").as<float>(), std::greater<>()));
    CHECK(decoy->inputs.at("a").as<float>()[50] != a[50]);
  }
}

TEST_CASE("a decoy is unpredictable without the seed", "[case][decoy]") {
  const Lab& lab = lab_named("vecadd");
  const auto data = data_of(lab, "a hundred");
  const GoldenLibrary golden = golden_of(lab);
  const auto one = make_decoy(*data, "one", golden);
  CHECK(one->inputs.at("a").bytes == make_decoy(*data, "one", golden)->inputs.at("a").bytes);
  CHECK(one->inputs.at("a").bytes != make_decoy(*data, "other", golden)->inputs.at("a").bytes);
}

/// Bytes are not replaced: too many are equal by chance.
bool has_only_bytes(const Lab& lab) {
  return std::none_of(lab.parameters.begin(), lab.parameters.end(), [](const Parameter& p) {
    return p.is_array() && p.role != Role::output && size_of(p.type) >= 4;
  });
}

TEST_CASE("every case of every lab has a decoy, or is known to have none", "[case][decoy]") {
  std::set<std::string> without;
  std::size_t with = 0;
  for (const std::string& id : find_labs(kRoot)) {
    const Lab& lab = lab_named(id);
    if (!lab.has_code() || lab.program || has_only_bytes(lab)) continue;
    for (const Case& spec : lab.cases) {
      if (make_decoy(*data_of(lab, spec.name), "draw", golden_of(lab))) {
        ++with;
      } else {
        without.insert(id + ": " + spec.data.name);
      }
    }
    INFO(id);
    CHECK_FALSE(without.contains(id + ": " + lab.find_case(lab.performance_case)->data.name));
  }
  CHECK(with > 2 * without.size());
  for (const std::string& name : without) UNSCOPED_INFO(name);
  // Nothing to replace, all values equal, or too few of them.
  CHECK(without.contains("vecadd: empty"));
  CHECK(without.contains("vecadd: all-equal"));
  CHECK(without.contains("reduction: one"));
}

TEST_CASE("outputs are counted by the inputs that they match", "[case][decoy]") {
  const Lab& lab = lab_named("vecadd");
  const auto host = data_of(lab, "a hundred");
  const auto device = make_decoy(*host, "draw", golden_of(lab));
  REQUIRE(device);
  const DecoyFits right = fits_of(host, *device, sums(*device));
  CHECK(right.device > 90);
  CHECK(right.host + right.neither + right.left == 0);
  const DecoyFits by_host = fits_of(host, *device, sums(*host));
  CHECK(by_host.host > 90);
  CHECK(by_host.device + by_host.neither == 0);
  CHECK(by_host.both == right.both);
  std::vector<float> mixed = sums(*device);
  mixed[3] = 1e6F;
  CHECK(fits_of(host, *device, mixed).neither == 1);
}

TEST_CASE("elements left unchanged by an in-place algorithm are inconclusive", "[case][decoy]") {
  const Lab& lab = lab_named("vecadd");
  const auto host = data_of(lab, "a hundred");
  const auto device = make_decoy(*host, "draw", golden_of(lab));
  REQUIRE(device);
  std::vector<float> c = sums(*device);
  c[5] = host->inputs.at("a").as<float>()[5];
  const DecoyFits fits = fits_of(host, *device, c);
  CHECK(fits.left == 1);
  CHECK(fits.host + fits.neither == 0);
}

TEST_CASE("a decoy's file is read back as written, and other files are rejected", "[case][decoy]") {
  const Lab& lab = lab_named("vecadd");
  const auto host = data_of(lab, "a hundred");
  const auto device = make_decoy(*host, "draw", golden_of(lab));
  REQUIRE(device);
  const TemporaryFolder folder;
  const auto file = folder.path() / "decoy";
  REQUIRE(warpsim::cudart::write_decoy(file, decoy_arrays(*host, *device)));
  const auto read = warpsim::cudart::read_decoy(file);
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK(read->at(1).name == "b");
  CHECK(read->at(1).is_float);
  CHECK(read->at(1).host == host->inputs.at("b").bytes);
  CHECK(read->at(1).device == device->inputs.at("b").bytes);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  CHECK_FALSE(warpsim::cudart::read_decoy(file));
  CHECK_FALSE(warpsim::cudart::read_decoy(folder.path() / "none"));
}

}  // namespace warpgrade
