#include "harness/golden/misreading_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "harness/golden/golden_outputs.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

MisreadingLibrary::MisreadingLibrary(const std::filesystem::path& file, const RunApart& apart)
    : handle_(file.empty() ? nullptr
                           : dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL),
              [](void* handle) {
                if (handle != nullptr) dlclose(handle);
              }) {
  using FillList = void (*)(MisreadingList&);
  auto* const fill =
      handle_ == nullptr
          ? nullptr
          : reinterpret_cast<FillList>(dlsym(handle_.get(), "warpgrade_misreadings"));
  if (fill == nullptr) return;
  const std::string id = file.stem().string();
  (void)apart({.who = fmt::format("lab '{0}': reference/{0}/misreadings.cpp", id), .function = [&] {
                 MisreadingList list;
                 fill(list);
                 return std::string();
               }});
  fill(list_);
}

namespace {

/// Where sums of a right program are exact, those of another formula need not be.
void allow_roundings(Expected& values) {
  if (!is_float(values.type)) return;
  const double share = std::max(0x1p-20, 4 * storage_roundoff(values.type));
  for (std::size_t i = 0; i < values.bound.size(); ++i) {
    const double size = std::abs(values.want[i]);
    if (std::isfinite(size)) values.bound[i] = std::max(values.bound[i], share * size);
  }
}

}  // namespace

std::map<std::string, Expected> expect_misread(
    const std::function<void(const GoldenCall&)>& compute, const std::string& who, const Lab& lab,
    const Case& spec, const std::map<std::string, Array>& inputs) {
  const Dims& dims = spec.data.dims;
  std::map<std::string, GoldenCall::Output> outputs = make_outputs(lab, dims);
  try {
    compute(GoldenCall(dims, inputs, outputs, named_settings(lab)));
  } catch (const std::exception& error) {
    throw LabError(fmt::format("{}: {}", who, error.what()));
  }
  std::map<std::string, std::vector<std::size_t>> anything;
  for (const auto& [name, output] : outputs) {
    for (std::size_t i = 0; i < output.condition.size(); ++i) {
      if (output.condition[i] == kAnything) anything[name].push_back(i);
    }
  }
  std::map<std::string, Expected> expected = bounded(lab, spec, who, std::move(outputs));
  for (auto& [name, values] : expected) {
    if (spec.exact) allow_roundings(values);
    for (const std::size_t i : anything[name]) values.bound[i] = kAnything;
  }
  return expected;
}

}  // namespace warpgrade
