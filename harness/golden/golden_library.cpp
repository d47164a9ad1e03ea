#include "harness/golden/golden_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "harness/golden/golden.h"
#include "harness/golden/golden_outputs.h"

namespace warpgrade {

namespace {

using Entry = void (*)(const GoldenCall&);

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
  return bounded(lab, spec, fmt::format("reference/{}/golden.cpp", lab.id), std::move(outputs));
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
