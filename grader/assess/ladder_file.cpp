#include "grader/assess/ladder_file.h"

#include <array>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;
/// What a roofline is made of.
constexpr std::array kCounters = {"dram_read_sectors", "dram_write_sectors", "flops_f32",
                                  "flops_f64",         "flops_half",         "flops_tensor",
                                  "warp_instructions"};

std::string source_id(const Lab& lab, const std::string& stage) {
  const fs::path file = lab.reference / "stages" / (stage + ".cu");
  std::error_code error;
  if (!fs::exists(file, error)) {
    return {};
  }
  Sha256 sha;
  sha.add(read_file(file));
  return sha.hex().substr(0, 16);
}

Json shape_of(const Lab& lab) {
  const Case* spec = lab.find_case(lab.performance_case);
  return spec == nullptr ? Json::object() : Json(spec->data.dims);
}

}  // namespace

fs::path ladder_file(const Lab& lab) {
  return lab.reference / "ladder.json";
}

std::vector<RungCost> read_ladder(const Lab& lab) {
  const fs::path file = ladder_file(lab);
  std::error_code error;
  if (!fs::exists(file, error)) {
    return {};
  }
  std::vector<RungCost> rungs;
  try {
    const Json document = Json::parse(read_file(file));
    if (document.at("schema") != kSchema || document.at("shape") != shape_of(lab)) {
      return {};
    }
    for (std::size_t i = 0; i < lab.rungs.size(); ++i) {
      const Rung& rung = lab.rungs[i];
      const auto it = document.at("stages").find(rung.stage);
      if (it != document.at("stages").end() && it->at("source") == source_id(lab, rung.stage)) {
        rungs.push_back(
            {.rung = i + 1,
             .stage = rung.stage,
             .title = rung.title,
             .card = document.at("card"),
             .cost = {.modelled_ms = it->at("modelled_ms"),
                      .counters = it->at("counters").get<std::map<std::string, double>>()}});
      }
    }
  } catch (const nlohmann::json::exception&) {
    return {};  // a plot without rungs is no reason to grade nobody
  } catch (const UsageError&) {
    return {};
  }
  return rungs;
}

void write_ladder(const Lab& lab, const std::vector<RungCost>& rungs) {
  Json stages = Json::object();
  std::string card;
  for (const RungCost& rung : rungs) {
    Json counters = Json::object();
    for (const char* name : kCounters) {
      const auto it = rung.cost.counters.find(name);
      counters[name] = it == rung.cost.counters.end() ? 0.0 : it->second;
    }
    card = rung.card;
    stages[rung.stage] = {{"source", source_id(lab, rung.stage)},
                          {"modelled_ms", rung.cost.modelled_ms},
                          {"counters", std::move(counters)}};
  }
  const Json document = {
      {"schema", kSchema}, {"card", card}, {"shape", shape_of(lab)}, {"stages", std::move(stages)}};
  write_file_atomically(ladder_file(lab), document.dump(2) + "\n");
}

}  // namespace warpgrade
