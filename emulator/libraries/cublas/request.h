#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/libraries/cublas/handle.h"
#include "emulator/libraries/cublas/status.h"
#include "emulator/libraries/cublas/types.h"
#include "emulator/libraries/request.h"

// A call of cuBLAS: its arguments are checked, then it runs in the handle's stream.

namespace warpsim::cublas {

using libraries::Arguments;
using libraries::Caller;
using libraries::kIsComplex;
using libraries::LibraryArgument;
using libraries::LibraryCost;
using libraries::matrix_of;
using libraries::MatrixShape;
using libraries::output;
using libraries::read_if;
using libraries::Real;
using libraries::Scalar;
using libraries::Use;
using libraries::vector_of;

/// The part of a matrix that a fill mode names.
[[nodiscard]] constexpr MatrixShape::Part part_of(Fill fill) {
  return fill == Fill::upper ? MatrixShape::Part::upper : MatrixShape::Part::lower;
}
/// A triangle of n columns, one after the other without gaps.
[[nodiscard]] LibraryArgument packed_of(std::string name, const void* pointer,
                                        std::size_t element_bytes, std::int64_t n, Fill fill,
                                        bool has_diagonal, Use use);

/// OpenBLAS on one thread while this lives: sums do not depend on the number of processors, and
/// the program gets no threads. The setting is the process's, which may use OpenBLAS itself.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  const int before_;
};

/// One call. Checks of its arguments report the first that is refused; submit() then returns the
/// status.
class Request : public libraries::BasicRequest<Status> {
 public:
  Request(const Caller& caller, const Handle* handle);
  /// Of a call without a handle's modes. @param stream, mode  what a handle would have
  Request(const Caller& caller, cudaStream_t stream, PointerMode mode);

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

  /// Runs the call in its stream, unless it is refused; OpenBLAS on one thread.
  /// @param arguments, run  see LibraryCall
  template <class ArgumentsOf, class Run>
  Status submit(ArgumentsOf arguments, Run run) {
    return BasicRequest::submit(
        std::move(arguments),
        [work = std::move(run)](const Arguments& parameters, const Arguments& used) {
          const OneThread here;
          work(parameters, used);
        });
  }
  /// The same for calls with a result.
  template <class R, class ArgumentsOf, class Compute>
  Status submit_result(R* result, ArgumentsOf inputs, Compute compute) {
    return BasicRequest::submit_result(result, std::move(inputs),
                                       [work = std::move(compute)](const Arguments& used) {
                                         const OneThread here;
                                         return work(used);
                                       });
  }

 private:
  void fits(std::string_view name, std::int64_t value);
};

}  // namespace warpsim::cublas
