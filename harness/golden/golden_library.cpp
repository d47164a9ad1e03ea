#include "harness/golden/golden_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/golden/golden.h"
#include "harness/golden/golden_outputs.h"

namespace warpgrade {

namespace {

using Entry = void (*)(const GoldenCall&);
using Accepts = void (*)(const AnswerCheck&);

// What a function of the library ended with: the first letter of what it returns to us.
constexpr char kDone = 'd';
constexpr char kAskedWrongly = 'a';  // for what the lab does not have
constexpr char kThrew = 't';

std::string source_of(const Lab& lab) {
  return fmt::format("reference/{}/golden.cpp", lab.id);
}

/// Runs a function of the library.
/// @param call  without `who`
/// @returns what it returned
/// @throws LabError, LabCodeError
std::string call_apart(const RunApart& apart, const Lab& lab, const Case* spec,
                       const std::string& what, LabCall call) {
  const std::string source = source_of(lab) + what;
  const std::string where = spec == nullptr ? "" : fmt::format(", case \"{}\"", spec->name);
  const std::string who = fmt::format("lab '{}'{}: {}", lab.id, where, source);
  call.who = who;
  call.function = [function = std::move(call.function)] {
    try {
      return kDone + function();
    } catch (const std::invalid_argument& error) {
      return kAskedWrongly + std::string(error.what());
    } catch (const std::exception& error) {
      return kThrew + std::string(error.what());
    }
  };
  const std::string told = apart(call);
  const std::string text = told.empty() ? "" : told.substr(1);
  if (told.starts_with(kAskedWrongly)) throw LabError(fmt::format("{}: {}", source, text));
  if (!told.starts_with(kDone)) {
    throw LabCodeError(fmt::format("{} threw an exception ({}); correct it", who, text));
  }
  return text;
}

// Rejected elements as text, for a function that ran in another process. No part contains a zero.

void append(std::string& text, const std::string& part) {
  text += part;
  text += '\0';
}

std::string encoded(const std::vector<RejectedElement>& rejected) {
  std::string text;
  for (const RejectedElement& element : rejected) {
    append(text, element.parameter);
    append(text, std::to_string(element.index));
    append(text, element.why);
  }
  return text;
}

std::vector<RejectedElement> decoded(const std::string& text) {
  std::vector<RejectedElement> rejected;
  std::istringstream in(text);
  RejectedElement element;
  std::string index;
  while (std::getline(in, element.parameter, '\0') && std::getline(in, index, '\0') &&
         std::getline(in, element.why, '\0')) {
    element.index = std::stoull(index);
    rejected.push_back(element);
  }
  return rejected;
}

std::shared_ptr<void> load(const std::filesystem::path& file) {
  return {dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
            if (handle != nullptr) dlclose(handle);
          }};
}

}  // namespace

GoldenLibrary::GoldenLibrary(const std::filesystem::path& file, RunApart apart)
    : apart_(std::move(apart)) {
  const std::string id = file.stem().string();
  (void)apart_({.who = fmt::format("lab '{0}': reference/{0}/golden.cpp, when it is loaded,", id),
                .function = [&] { return std::string(load(file) == nullptr ? "" : "loaded"); }});
  handle_ = load(file);
  if (handle_ != nullptr) entry_ = dlsym(handle_.get(), "warpgrade_golden");
  if (entry_ == nullptr) {
    const char* reason = dlerror();
    throw LabError(
        fmt::format("the golden library of lab '{}' cannot be loaded ({}); build the "
                    "project again, CMake compiles reference/{}/golden.cpp",
                    id, reason != nullptr ? reason : "no reason given", id));
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
  // Made where the function runs: a copy of a process would copy each page that it writes to.
  std::map<std::string, GoldenCall::Output> outputs;
  const auto compute = [&] {
    outputs = make_outputs(lab, dims);
    reinterpret_cast<Entry>(entry_)(GoldenCall(dims, inputs, outputs, named_settings(lab)));
    return std::string();
  };
  (void)call_apart(
      apart_, lab, &spec, "",
      {.who = {},
       .function = compute,
       .result_bytes = bytes_of_outputs(lab, dims),
       .give = [&](std::span<std::byte> to) { write_outputs(outputs, to); },
       .take = [&](std::span<const std::byte> from) { outputs = read_outputs(lab, dims, from); }});
  return bounded(lab, spec, source_of(lab), std::move(outputs));
}

AnswerPredicate GoldenLibrary::predicate(const Lab& lab, const Case& spec) const {
  if (!lab.has_predicate()) return {};
  if (handle_ == nullptr) {
    throw LabError(
        fmt::format("{} is missing, which decides about outputs with "
                    "predicate = true; write it, with WARPGRADE_ACCEPTS(check) {{ ... }}",
                    source_of(lab)));
  }
  auto* const accepts = reinterpret_cast<Accepts>(dlsym(handle_.get(), "warpgrade_accepts"));
  if (accepts == nullptr) {
    throw LabError(
        fmt::format("{} does not define WARPGRADE_ACCEPTS, which "
                    "decides about outputs with predicate = true; add "
                    "WARPGRADE_ACCEPTS(check) {{ ... }}",
                    source_of(lab)));
  }
  // The library stays loaded as long as the function is used.
  return [accepts, handle = handle_, apart = apart_, &lab, &spec](
             const Dims& dims, const auto& inputs, const auto& outputs) {
    const auto decide = [&] {
      std::vector<RejectedElement> rejected;
      const auto reject = [](void* to, const char* parameter, std::uint64_t index,
                             const char* why) {
        static_cast<std::vector<RejectedElement>*>(to)->push_back(
            {.parameter = parameter, .index = index, .why = why});
      };
      accepts(AnswerCheck(dims, inputs, outputs, reject, &rejected));
      return encoded(rejected);
    };
    return decoded(
        call_apart(apart, lab, &spec, ", WARPGRADE_ACCEPTS", {.who = {}, .function = decide}));
  };
}

std::filesystem::path golden_file(const std::filesystem::path& library, const Lab& lab) {
  return library / "golden" / (lab.id + ".so");
}

}  // namespace warpgrade
