#include "harness/case/case_data.h"

#include "harness/case/make_input.h"
#include "harness/case/program_run.h"
#include "harness/data/random.h"

namespace warpgrade {

std::map<std::string, Array> make_inputs(const Lab& lab, const Case& spec, const Secret& secret) {
  std::map<std::string, Array> inputs;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array() || !parameter.is_read()) continue;
    if (spec.data.given.contains(parameter.name)) {
      inputs.emplace(parameter.name, given_array(lab, spec, parameter));
      continue;
    }
    const auto seed_of = [&](std::string_view name) {
      return hash_fields(
          {lab.id, spec.name, name, spec.visible ? std::string_view{} : secret.text});
    };
    inputs.emplace(parameter.name, make_input(lab, parameter, spec.data, seed_of));
  }
  return inputs;
}

namespace {

std::shared_ptr<CaseData> make(const Lab& lab, const Case& spec, const Secret& secret,
                               const GoldenLibrary& golden) {
  auto data = std::make_shared<CaseData>();
  data->lab = &lab;
  data->spec = &spec;
  data->inputs = make_inputs(lab, spec, secret);
  if (!gives_outputs(lab, spec)) data->expected = golden.expect(lab, spec, data->inputs);
  if (lab.program) {
    add_given_outputs(lab, spec, data->expected);
    widen_bounds(lab, data->expected);
  }
  data->accepts = golden.predicate(lab, spec);
  return data;
}

}  // namespace

std::shared_ptr<const CaseData> make_case_data(const Lab& lab, const Case& spec,
                                               const Secret& secret, const GoldenLibrary& golden) {
  return make(lab, spec, secret, golden);
}

std::shared_ptr<const CaseData> make_shared_case_data(const Lab& lab, const Case& spec,
                                                      const GoldenLibrary& golden) {
  std::shared_ptr<CaseData> data = make(lab, spec, Secret{}, golden);
  // A program opens its files itself.
  if (!lab.program) data->shared = std::make_shared<SharedInputs>(lab, data->inputs);
  return data;
}

}  // namespace warpgrade
