#include "grader/run/session/ladder_file.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/run/cost_model/rung_change.h"
#include "harness/lab/counter_names.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 2;
/// The counters of a roofline.
constexpr std::array kCounters = {"dram_read_sectors", "dram_write_sectors", "flops_f32",
                                  "flops_f64",         "flops_half",         "flops_tensor",
                                  "warp_instructions"};
/// Further ones, where the whole call is timed.
constexpr std::array kTimelineCounters = {"copies_to_device", "overlap_us"};

std::string source_id(const Lab& lab, const std::string& stage) {
  const fs::path file = stage_of(lab, stage);
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

/// The part of each kernel that predictions need: counters that formulas may name, and inputs of
/// the cost model.
Json kernels_to_json(const std::vector<KernelReport>& kernels) {
  Json all = Json::array();
  for (const KernelReport& kernel : kernels) {
    Json counters = {{kTimeMetric, kernel.counter(kTimeMetric)}};
    for (const CounterName& name : counter_names()) {
      for (const std::string_view metric : {name.metric, name.metric_too}) {
        if (const double value = kernel.counter(metric); value != 0) {
          counters[std::string(metric)] = value;
        }
      }
    }
    Json shapes = Json::array();
    for (const warpsim::LaunchReport& shape : kernel.shapes) {
      shapes.push_back(to_document(shape.cost));
    }
    all.push_back({{"name", kernel.name},
                   {"launches", kernel.launches},
                   {"grid", kernel.grid},
                   {"block", kernel.block},
                   {"counters", std::move(counters)},
                   {"shapes", std::move(shapes)}});
  }
  return all;
}

std::vector<KernelReport> kernels_from(const Json& all) {
  std::vector<KernelReport> kernels;
  for (const Json& j : all) {
    KernelReport kernel{.name = j.at("name"),
                        .launches = j.at("launches"),
                        .grid = j.at("grid").get<std::vector<std::uint64_t>>(),
                        .block = j.at("block").get<std::vector<std::uint64_t>>(),
                        .counters = j.at("counters").get<std::map<std::string, double>>(),
                        .lines = {}};
    for (const Json& shape : j.at("shapes")) {
      from_document(shape, kernel.shapes.emplace_back().cost);
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace

fs::path ladder_file(const Lab& lab) {
  return lab.reference / "ladder.json";
}

double predict_next(const Lab& lab, const Rung& rung, const ReferenceCost& cost) {
  const Case* spec = lab.find_case(lab.performance_case);
  const EmulatorReport run{.device = cost.card, .kernels = cost.kernels, .findings = {}};
  const double times =
      spec == nullptr ? 0 : gain_of_change(rung, spec->data.dims, run, cost.modelled_ms);
  return times > 0 ? cost.modelled_ms / times : 0;
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
    if (document.at("schema") > kSchema || document.at("shape") != shape_of(lab)) {
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
             .cost = {
                 .modelled_ms = it->at("modelled_ms"),
                 .counters = it->at("counters").get<std::map<std::string, double>>(),
                 .card = document.at("card"),
                 .kernels = kernels_from(it->value("kernels", Json::array()))}});  // schema 1: none
        rungs.back().next_ms = predict_next(lab, rung, rungs.back().cost);
      }
    }
  } catch (const nlohmann::json::exception&) {
    return {};  // a missing ladder only leaves rungs out of plots
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
    const auto add = [&](const char* name) {
      const auto it = rung.cost.counters.find(name);
      counters[name] = it == rung.cost.counters.end() ? 0.0 : it->second;
    };
    std::ranges::for_each(kCounters, add);
    if (lab.times_timeline) std::ranges::for_each(kTimelineCounters, add);
    card = rung.card;
    stages[rung.stage] = {{"source", source_id(lab, rung.stage)},
                          {"modelled_ms", rung.cost.modelled_ms},
                          {"counters", std::move(counters)},
                          {"kernels", kernels_to_json(rung.cost.kernels)}};
  }
  const Json document = {
      {"schema", kSchema}, {"card", card}, {"shape", shape_of(lab)}, {"stages", std::move(stages)}};
  write_file_atomically(ladder_file(lab), document.dump(2) + "\n");
}

}  // namespace warpgrade
