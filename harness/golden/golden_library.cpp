#include "harness/golden/golden_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>

#include "harness/golden/golden.h"
#include "harness/lab/shapes.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

namespace {

constexpr double kUnset = -1;

using Entry = void (*)(const GoldenCall&);

std::map<std::string, GoldenCall::Output> make_outputs(const Lab& lab, const Dims& dims) {
  std::map<std::string, GoldenCall::Output> outputs;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written()) continue;
    const std::size_t count = Array::count_of(shape_of(lab, parameter, dims));
    GoldenCall::Output output;
    output.type = parameter.type;
    if (is_float(parameter.type)) {
      output.want.resize(count);
      output.condition.assign(count, kUnset);
    } else {
      output.exact.resize(count);
    }
    outputs.emplace(parameter.name, std::move(output));
  }
  return outputs;
}

Expected bounded(const Lab& lab, const Case& spec, const std::string& name,
                 GoldenCall::Output output) {
  if (!output.asked_for) {
    throw LabError(
        fmt::format("reference/{}/golden.cpp does not fill the output '{}'; ask for it "
                    "with call.floats or call.integers",
                    lab.id, name));
  }
  Expected expected{.type = output.type,
                    .want = std::move(output.want),
                    .bound = std::move(output.condition),
                    .exact = std::move(output.exact)};
  if (!is_float(expected.type)) return expected;
  double relative = 0;
  double absolute = 0;
  if (lab.tolerance.model == Tolerance::Model::rounding && !spec.exact) {
    const double terms = evaluate(lab, *lab.tolerance.terms, spec.data.dims);
    relative = lab.tolerance.factor * product_sum_bound(terms, lab.tolerance.precision);
    absolute = underflow_bound(terms, lab.tolerance.precision);
  }
  for (std::size_t i = 0; i < expected.bound.size(); ++i) {
    double& bound = expected.bound[i];
    if (bound < 0) {
      throw LabError(
          fmt::format("reference/{}/golden.cpp does not set condition[{}] of the output "
                      "'{}'; set it for every element",
                      lab.id, i, name));
    }
    // Infinities and NaNs are compared by class, not by size.
    bound = std::isfinite(bound) ? relative * bound + absolute : 0;
  }
  return expected;
}

}  // namespace

GoldenLibrary::GoldenLibrary(const std::filesystem::path& file)
    : handle_(dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL),
              [](void* handle) {
                if (handle != nullptr) dlclose(handle);
              }) {
  if (handle_ != nullptr) entry_ = dlsym(handle_.get(), "warpgrade_golden");
  if (entry_ == nullptr) {
    const char* reason = dlerror();
    throw LabError(
        fmt::format("the golden library of lab '{}' cannot be loaded ({}); build the "
                    "project again, CMake compiles reference/{}/golden.cpp",
                    file.stem().string(), reason != nullptr ? reason : "no reason given",
                    file.stem().string()));
  }
}

std::map<std::string, Expected> GoldenLibrary::expect(
    const Lab& lab, const Case& spec, const std::map<std::string, Array>& inputs) const {
  if (entry_ == nullptr) {
    throw LabError(
        fmt::format("reference/{0}/golden.cpp is missing, and dataset '{1}' of datasets/{0}.toml "
                    "does not give all outputs; write one of them",
                    lab.id, spec.data.name));
  }
  const Dims& dims = spec.data.dims;
  std::map<std::string, GoldenCall::Output> outputs = make_outputs(lab, dims);
  try {
    reinterpret_cast<Entry>(entry_)(GoldenCall(dims, inputs, outputs));
  } catch (const std::invalid_argument& error) {
    throw LabError(fmt::format("reference/{}/golden.cpp: {}", lab.id, error.what()));
  }
  std::map<std::string, Expected> expected;
  for (auto& [name, output] : outputs) {
    expected.emplace(name, bounded(lab, spec, name, std::move(output)));
  }
  return expected;
}

std::filesystem::path golden_file(const std::filesystem::path& library, const Lab& lab) {
  return library / "golden" / (lab.id + ".so");
}

}  // namespace warpgrade
