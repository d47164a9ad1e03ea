#include "harness/case/case_data.h"

#include "harness/case/program_run.h"
#include "harness/data/fill.h"
#include "harness/data/random.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

std::map<std::string, Array> make_inputs(const Lab& lab, const Case& spec, const Secret& secret) {
  std::map<std::string, Array> inputs;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array() || !parameter.is_read()) continue;
    if (lab.program && spec.data.given.contains(parameter.name)) {
      inputs.emplace(parameter.name, given_array(lab, spec, parameter));
      continue;
    }
    Array array(parameter.type, shape_of(lab, parameter, spec.data.dims));
    const std::uint64_t seed = hash_fields(
        {lab.id, spec.name, parameter.name, spec.visible ? std::string_view{} : secret.text});
    fill_array(array, spec.data.fills.at(parameter.name), seed);
    inputs.emplace(parameter.name, std::move(array));
  }
  return inputs;
}

std::shared_ptr<const CaseData> make_case_data(const Lab& lab, const Case& spec,
                                               const Secret& secret, const GoldenLibrary& golden) {
  auto data = std::make_shared<CaseData>();
  data->lab = &lab;
  data->spec = &spec;
  data->inputs = make_inputs(lab, spec, secret);
  if (!lab.program) {
    data->expected = golden.expect(lab, spec, data->inputs);
    return data;
  }
  data->expected =
      gives_outputs(lab, spec) ? given_outputs(lab, spec) : golden.expect(lab, spec, data->inputs);
  widen_bounds(lab, data->expected);
  return data;
}

}  // namespace warpgrade
