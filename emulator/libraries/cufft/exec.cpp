#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstdint>

#include "emulator/libraries/cufft/plan.h"
#include "emulator/libraries/exported.h"

// The calls that transform: each is checked, and runs in the plan's stream.

namespace warpsim::cufft {
namespace {

using libraries::Caller;
using Arguments = cudart::LibraryCall::Arguments;

std::uint64_t bytes_of(Type type, bool is_complex) {
  return (is_double(type) ? sizeof(double) : sizeof(float)) * (is_complex ? 2 : 1);
}

/// @param is_complex  the elements of this side
cudart::LibraryArgument argument(const char* name, const Shape& shape, const void* data,
                                 const Layout& layout, bool is_complex) {
  const std::uint64_t bytes = bytes_of(shape.type, is_complex);
  cudart::LibraryArgument made;
  made.name = name;
  made.shape = in_words(layout, is_complex);
  made.side.address = reinterpret_cast<std::uint64_t>(data);
  made.box = {.width = static_cast<std::uint64_t>(layout.extent()) * bytes};
  made.pieces = layout.pieces(bytes);
  return made;
}

/// The operations that are usually counted for a Fourier transform, however it is computed.
cudart::LibraryCost cost(const Shape& shape) {
  using Unit = cudart::LibraryCost::Unit;
  const auto elements = static_cast<double>(shape.elements());
  return {.operations = (shape.has_real_side() ? 2.5 : 5.0) * elements * std::log2(elements) *
                        static_cast<double>(shape.batch),
          .unit = is_double(shape.type) ? Unit::fp64 : Unit::fp32};
}

/// Memory that a plan was given to work in: another call may not use it at the same time.
cudart::LibraryArgument work_area(const Shape& shape, const void* area) {
  cudart::LibraryArgument made;
  made.name = "workArea";
  made.shape = fmt::format("{} bytes", shape.work_bytes());
  made.side.address = reinterpret_cast<std::uint64_t>(area);
  made.box = {.width = shape.work_bytes()};
  made.written = true;
  return made;
}

Status submit(const Caller& caller, const Plan& plan, const void* from, void* to, int direction) {
  const Shape& shape = plan.transform->shape();
  const bool in_place = from == to;
  cudart::LibraryArgument input =
      argument("idata", shape, from, shape.input_layout(in_place), has_complex_input(shape.type));
  cudart::LibraryArgument output =
      argument("odata", shape, to, shape.output_layout(in_place), has_complex_output(shape.type));
  input.read = true;
  input.written = plan.transform->loses_input(in_place);
  output.written = true;
  Arguments arguments = {input, output};
  if (plan.work_area != nullptr) arguments.push_back(work_area(shape, plan.work_area));
  cudart::LibraryCall call;
  call.name = caller.name;
  call.return_address = caller.return_address;
  call.stream = plan.stream;
  call.cost = cost(shape);
  call.arguments = [arguments](const Arguments&) { return arguments; };
  call.run = [transform = plan.transform, direction](const Arguments&, const Arguments& used) {
    transform->run(used[0].host, used[1].host, direction);
  };
  const cudaError_t error = libraries::runtime()->run(std::move(call));
  return error == cudaSuccess ? Status::success : Status::exec_failed;
}

/// The only direction of a transform with real numbers on one side.
std::optional<int> own_direction(const Shape& shape) {
  if (!shape.has_real_side()) return std::nullopt;
  return has_complex_input(shape.type) ? kInverse : kForward;
}

/// @param type  of plans that the function takes; nothing: any
Status execute(const Caller& caller, int handle, const void* from, void* to, int direction,
               std::optional<Type> type) {
  const std::optional<Plan> plan = find_plan(caller, handle);
  if (!plan) return Status::invalid_plan;
  if (plan->transform == nullptr) return refuse_unmade(caller);
  const Shape& shape = plan->transform->shape();
  if (type && *type != shape.type) {
    return refuse(caller, fmt::format("the plan is one of {}", name_of(shape.type)),
                  fmt::format("a plan of {}", name_of(*type)), Status::invalid_type);
  }
  if (to == nullptr) {
    return refuse(caller, "odata is a null pointer", "its address", Status::exec_failed);
  }
  const std::uint64_t alignment = bytes_of(shape.type, true);
  for (const auto& [name, data] :
       {std::pair{"idata", from}, {"odata", static_cast<const void*>(to)}}) {
    const std::uint64_t beyond = reinterpret_cast<std::uint64_t>(data) % alignment;
    if (beyond != 0) {
      return refuse(
          caller, fmt::format("{} is {} bytes after a multiple of {}", name, beyond, alignment),
          "an address that suits complex numbers, also for real ones", Status::invalid_value);
    }
  }
  const std::optional<int> own = own_direction(shape);
  if (own ? direction != *own : direction != kForward && direction != kInverse) {
    return refuse(caller, fmt::format("direction is {}", direction),
                  !own               ? "CUFFT_FORWARD or CUFFT_INVERSE"
                  : *own == kForward ? "CUFFT_FORWARD for a transform of real numbers"
                                     : "CUFFT_INVERSE for a transform to real numbers",
                  Status::invalid_value);
  }
  return submit(caller, *plan, from, to, direction);
}

template <Type kType>
Status execute_complex(const Caller& caller, int handle, const void* from, void* to,
                       int direction) {
  return execute(caller, handle, from, to, direction, kType);
}

template <Type kType>
Status execute_real(const Caller& caller, int handle, const void* from, void* to) {
  return execute(caller, handle, from, to, has_complex_input(kType) ? kInverse : kForward, kType);
}

Status execute_any(const Caller& caller, int handle, const void* from, void* to, int direction) {
  return execute(caller, handle, from, to, direction, std::nullopt);
}

}  // namespace
}  // namespace warpsim::cufft

using warpsim::cufft::Type;

WARPSIM_EXPORT(cufftExecC2C, cufftExecC2C, warpsim::cufft::execute_complex<Type::c2c>)
WARPSIM_EXPORT(cufftExecZ2Z, cufftExecZ2Z, warpsim::cufft::execute_complex<Type::z2z>)
WARPSIM_EXPORT(cufftExecR2C, cufftExecR2C, warpsim::cufft::execute_real<Type::r2c>)
WARPSIM_EXPORT(cufftExecD2Z, cufftExecD2Z, warpsim::cufft::execute_real<Type::d2z>)
WARPSIM_EXPORT(cufftExecC2R, cufftExecC2R, warpsim::cufft::execute_real<Type::c2r>)
WARPSIM_EXPORT(cufftExecZ2D, cufftExecZ2D, warpsim::cufft::execute_real<Type::z2d>)
WARPSIM_EXPORT(cufftXtExec, cufftXtExec, warpsim::cufft::execute_any)
