#include "harness/golden/golden_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/golden/bounds.h"
#include "harness/golden/golden.h"
#include "harness/lab/shapes.h"

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

const Parameter& parameter_of(const Lab& lab, const std::string& name) {
  return *std::find_if(lab.parameters.begin(), lab.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
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
  for (std::size_t i = 0; i < expected.bound.size(); ++i) {
    if (expected.bound[i] < 0) {
      throw LabError(
          fmt::format("reference/{}/golden.cpp does not set condition[{}] of the output "
                      "'{}'; set it for every element",
                      lab.id, i, name));
    }
  }
  set_bounds(lab, spec, parameter_of(lab, name), expected);
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
    reinterpret_cast<Entry>(entry_)(GoldenCall(dims, inputs, outputs, named_settings(lab)));
  } catch (const std::invalid_argument& error) {
    throw LabError(fmt::format("reference/{}/golden.cpp: {}", lab.id, error.what()));
  }
  std::map<std::string, Expected> expected;
  for (auto& [name, output] : outputs) {
    expected.emplace(name, bounded(lab, spec, name, std::move(output)));
  }
  return expected;
}

AnswerPredicate GoldenLibrary::predicate(const Lab& lab) const {
  if (!lab.has_predicate()) return {};
  if (handle_ == nullptr) {
    throw LabError(
        fmt::format("reference/{}/golden.cpp is missing, which decides about outputs with "
                    "predicate = true; write it, with WARPGRADE_ACCEPTS(check) {{ ... }}",
                    lab.id));
  }
  using Accepts = void (*)(const AnswerCheck&);
  auto* const accepts = reinterpret_cast<Accepts>(dlsym(handle_.get(), "warpgrade_accepts"));
  if (accepts == nullptr) {
    throw LabError(
        fmt::format("reference/{}/golden.cpp does not define WARPGRADE_ACCEPTS, which "
                    "decides about outputs with predicate = true; add "
                    "WARPGRADE_ACCEPTS(check) {{ ... }}",
                    lab.id));
  }
  // The library stays loaded as long as the function is used.
  return [accepts, handle = handle_, id = lab.id](const Dims& dims, const auto& inputs,
                                                  const auto& outputs) {
    std::vector<RejectedElement> rejected;
    const auto reject = [](void* to, const char* parameter, std::uint64_t index, const char* why) {
      static_cast<std::vector<RejectedElement>*>(to)->push_back(
          {.parameter = parameter, .index = index, .why = why});
    };
    try {
      accepts(AnswerCheck(dims, inputs, outputs, reject, &rejected));
    } catch (const std::exception& error) {
      throw LabError(
          fmt::format("reference/{}/golden.cpp, WARPGRADE_ACCEPTS: {}", id, error.what()));
    }
    return rejected;
  };
}

std::filesystem::path golden_file(const std::filesystem::path& library, const Lab& lab) {
  return library / "golden" / (lab.id + ".so");
}

}  // namespace warpgrade
