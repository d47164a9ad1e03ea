#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "emulator/libraries/arguments.h"
#include "emulator/libraries/numbers.h"
#include "emulator/libraries/pointer_mode.h"
#include "emulator/libraries/runtime_entry.h"

// A call of a library: its arguments are checked, then it runs in a stream.

namespace warpsim::libraries {

using cudart::LibraryCost;

/// A scalar argument: its value, or which parameter of the call has it in device memory.
template <class T>
struct Scalar {
  T value = {};
  int parameter = -1;

  [[nodiscard]] T get(const Arguments& parameters) const {
    return parameter < 0 ? value : *parameters[static_cast<std::size_t>(parameter)].as<T>();
  }
};

/// One call. Checks of its arguments report the first that is refused; submit() then returns the
/// status.
/// @tparam Status  of the library; name_of(Status) is its name
template <class Status>
class BasicRequest {
 public:
  /// @param stream, mode  of the handle
  BasicRequest(const Caller& caller, cudaStream_t stream, PointerMode mode)
      : caller_(caller), mode_(mode), runtime_(libraries::runtime()) {
    call_.name = caller.name;
    call_.return_address = caller.return_address;
    call_.stream = stream;
  }
  BasicRequest(const BasicRequest&) = delete;
  BasicRequest& operator=(const BasicRequest&) = delete;

  void refuse(const std::string& got, const std::string& want,
              Status status = Status::invalid_value) {
    if (!valid()) return;
    status_ = status;
    if (runtime_ == nullptr) return;
    runtime_->refuse(caller_.name, caller_.return_address,
                     {.got = got,
                      .want = want,
                      .status = name_of(status),
                      .by_emulator = status == Status::not_supported});
  }
  [[nodiscard]] bool valid() const { return status_ == Status::success; }
  [[nodiscard]] Status status() const { return status_; }
  /// A pointer that is used before the call returns.
  void pointer(std::string_view name, const void* value) {
    if (value == nullptr) refuse(fmt::format("{} is a null pointer", name), "its address");
  }

  /// A scalar, in host or device memory by the pointer mode.
  template <class T>
  [[nodiscard]] Scalar<T> scalar(const char* name, const T* address) {
    pointer(name, address);
    if (!valid()) return {};
    if (!on_device()) return {.value = *address};
    return {.parameter = parameter(vector_of(name, address, 1, 1, Use::read))};
  }
  /// Memory whose contents say what else the call uses. @returns its index
  int parameter(LibraryArgument argument) {
    call_.parameters.push_back(std::move(argument));
    return static_cast<int>(call_.parameters.size()) - 1;
  }
  [[nodiscard]] bool on_device() const { return mode_ == PointerMode::device; }

  /// The call returns a result to host code.
  void waits() { call_.host_waits = true; }

  /// @param operations  additions and multiplications of T
  template <class T>
  void costs(double operations) {
    call_.cost = {.operations = operations * (kIsComplex<T> ? 4 : 1),
                  .unit = std::is_same_v<Real<T>, double> ? LibraryCost::Unit::fp64
                                                          : LibraryCost::Unit::fp32};
  }
  void costs(const LibraryCost& cost) { call_.cost = cost; }

  /// What is wrong with the contents of the arguments. @param defect  see LibraryCall
  template <class Defect>
  void checks(Defect defect) {
    call_.defect = std::move(defect);
  }

  /// Runs the call in its stream, unless it is refused. @param arguments, run  see LibraryCall
  template <class ArgumentsOf, class Run>
  Status submit(ArgumentsOf arguments, Run run) {
    if (!valid()) return status_;
    call_.arguments = std::move(arguments);
    call_.run = std::move(run);
    if (runtime_ == nullptr) return Status::not_initialized;
    const cudaError_t error = runtime_->run(std::move(call_));
    return error == cudaSuccess ? Status::success : Status::execution_failed;
  }
  /// The same for calls with a result, which lies in host or device memory by the pointer mode.
  /// @param compute  gives the result
  template <class R, class ArgumentsOf, class Compute>
  Status submit_result(R* result, ArgumentsOf inputs, Compute compute) {
    pointer("result", result);
    if (!valid()) return status_;
    const bool device = on_device();
    if (!device) waits();
    return submit(
        [=](const Arguments& parameters) {
          Arguments arguments = inputs(parameters);
          if (device) arguments.push_back(vector_of("result", result, 1, 1, Use::write));
          return arguments;
        },
        [=](const Arguments&, const Arguments& arguments) {
          *(device ? arguments.back().as<R>() : result) = compute(arguments);
        });
  }

 private:
  const Caller caller_;
  const PointerMode mode_;
  const cudart::LibraryEntryPoints* const runtime_;
  Status status_ = Status::success;
  cudart::LibraryCall call_;
};

}  // namespace warpsim::libraries
