#pragma once

#include <fmt/format.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "emulator/libraries/cublas/handle.h"
#include "emulator/libraries/cublas/types.h"
#include "emulator/libraries/runtime_entry.h"

// A call of cuBLAS: its arguments are checked, then it runs in the handle's stream.

namespace warpsim::cublas {

using cudart::LibraryArgument;
using cudart::LibraryCost;
using libraries::Caller;
using Arguments = cudart::LibraryCall::Arguments;

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
/// float of std::complex<float>
template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;

/// A scalar argument: its value, or which parameter of the call has it in device memory.
template <class T>
struct Scalar {
  T value = {};
  int parameter = -1;

  [[nodiscard]] T get(const Arguments& parameters) const {
    return parameter < 0 ? value : *parameters[static_cast<std::size_t>(parameter)].as<T>();
  }
};

/// How a call uses an argument.
enum class Use : std::uint8_t { none, read, write, update };
[[nodiscard]] constexpr Use read_if(bool reads) {
  return reads ? Use::read : Use::none;
}
/// An output that the call reads unless the factor of its old value is 0.
template <class T>
[[nodiscard]] Use output(T factor) {
  return factor == T{} ? Use::write : Use::update;
}

/// Arrays and matrices of a call in words and bytes. Sizes are in elements; matrices are
/// column-major.
[[nodiscard]] LibraryArgument vector_of(std::string name, const void* pointer,
                                        std::size_t element_bytes, std::int64_t elements,
                                        std::int64_t increment, Use use);
struct MatrixShape {
  /// What of it is used: all, a triangle, or of a band, whose diagonals are its rows, what lies
  /// inside the matrix.
  enum class Part : std::uint8_t { all, upper, lower, band };

  std::int64_t rows = 0, columns = 0, leading = 0;
  Part part = Part::all;
  bool has_diagonal = true;  // of a triangle, or of a band that is one
  std::int64_t above = 0, band_rows = 0;  // of a band: diagonals above the main one, rows
  std::int64_t batch = 1, stride = 0;  // elements from one matrix to the next
};
[[nodiscard]] LibraryArgument matrix_of(std::string name, const void* pointer,
                                        std::size_t element_bytes, const MatrixShape& shape,
                                        Use use);
template <class T>
[[nodiscard]] LibraryArgument vector_of(std::string name, const T* pointer, std::int64_t elements,
                                        std::int64_t increment, Use use) {
  return vector_of(std::move(name), pointer, sizeof(T), elements, increment, use);
}
template <class T>
[[nodiscard]] LibraryArgument matrix_of(std::string name, const T* pointer,
                                        const MatrixShape& shape, Use use) {
  return matrix_of(std::move(name), pointer, sizeof(T), shape, use);
}
/// The part of a matrix that a fill mode names.
[[nodiscard]] constexpr MatrixShape::Part part_of(Fill fill) {
  return fill == Fill::upper ? MatrixShape::Part::upper : MatrixShape::Part::lower;
}
/// A triangle of n columns, one after the other without gaps.
[[nodiscard]] LibraryArgument packed_of(std::string name, const void* pointer,
                                        std::size_t element_bytes, std::int64_t n, Fill fill,
                                        bool has_diagonal, Use use);

/// One call. Checks of its arguments report the first that is refused; submit() then returns the
/// status.
class Request {
 public:
  Request(const Caller& caller, const Handle* handle);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  /// A size, at least 0.
  Request& size(std::string_view name, std::int64_t value);
  /// @param rows  of the matrix, which the leading dimension must have at least
  Request& leading(std::string_view name, std::int64_t value, std::int64_t rows);
  /// An increment, which must not be 0.
  Request& increment(std::string_view name, std::int64_t value);
  /// Elements from one matrix of a batch to the next, at least 0.
  Request& stride(std::string_view name, std::int64_t value);
  template <class Enum>
  Request& one_of(std::string_view name, Enum value, int least, int most) {
    const int number = static_cast<int>(value);
    if (number < least || number > most) {
      refuse(fmt::format("{} is {}", name, number), fmt::format("{} to {}", least, most));
    }
    return *this;
  }
  Request& operation(std::string_view name, Operation value) { return one_of(name, value, 0, 2); }
  Request& fill(Fill value) { return one_of("uplo", value, 0, 1); }
  Request& diagonal(Diagonal value) { return one_of("diag", value, 0, 1); }
  Request& side(MatrixSide value) { return one_of("side", value, 0, 1); }
  /// A pointer that is used before the call returns.
  Request& pointer(std::string_view name, const void* value);
  void refuse(const std::string& got, const std::string& want,
              Status status = Status::invalid_value);
  [[nodiscard]] bool valid() const { return status_ == Status::success; }
  [[nodiscard]] Status status() const { return status_; }

  /// A scalar, in host or device memory by the handle's pointer mode.
  template <class T>
  [[nodiscard]] Scalar<T> scalar(const char* name, const T* address) {
    pointer(name, address);
    if (!valid()) return {};
    if (!on_device()) return {.value = *address};
    return {.parameter = parameter(vector_of(name, address, 1, 1, Use::read))};
  }
  /// Memory whose contents say what else the call uses. @returns its index
  int parameter(LibraryArgument argument);
  [[nodiscard]] bool on_device() const {
    return handle_ != nullptr && handle_->pointer_mode == PointerMode::device;
  }

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

  /// Runs the call in its stream, unless it is refused. @param arguments, run  see LibraryCall
  template <class ArgumentsOf, class Run>
  Status submit(ArgumentsOf arguments, Run run) {
    if (!valid()) return status_;
    call_.arguments = std::move(arguments);
    call_.run = std::move(run);
    return start();
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
  Status start();
  void fits(std::string_view name, std::int64_t value);

  const Caller caller_;
  const Handle* const handle_;
  const cudart::LibraryEntryPoints* const runtime_;
  Status status_ = Status::success;
  cudart::LibraryCall call_;
};

}  // namespace warpsim::cublas
