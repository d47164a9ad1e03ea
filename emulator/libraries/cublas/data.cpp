#include "emulator/libraries/cublas/routines.h"

// cublasSetVector, cublasGetMatrix and the like: copies between the host and the device.

namespace warpsim::cublas {
namespace {

/// One side of a copy: columns, or elements of a vector, and the bytes between them.
struct Place {
  const void* pointer;
  std::int64_t step;
};

Status copy(const Caller& caller, std::int64_t width, std::int64_t count, const Place& to,
            const Place& from, cudaMemcpyKind kind, cudaStream_t stream) {
  if (width < 0 || count < 0 || to.step < width || from.step < width) return Status::invalid_value;
  const auto* const runtime = libraries::runtime();
  if (runtime == nullptr) return Status::not_initialized;
  cudart::Box box = {.width = static_cast<std::uint64_t>(width),
                     .height = static_cast<std::uint64_t>(count)};
  if (to.step == width && from.step == width) {
    box = {.width = box.width * box.height};
  }
  const auto side = [](const Place& place) {
    cudart::Side made = cudart::Side::linear(place.pointer);
    made.row_pitch = static_cast<std::uint64_t>(place.step);
    return made;
  };
  const cudaError_t error =
      runtime->copy(caller.name, caller.return_address, side(to), side(from), box, kind, stream);
  return error == cudaSuccess ? Status::success : Status::mapping_error;
}

template <class Int, cudaMemcpyKind kKind>
Status copy_vector_async(const Caller& caller, Int n, Int element_bytes, const void* from,
                         Int from_step, void* to, Int to_step, cudaStream_t stream) {
  const std::int64_t bytes = element_bytes;
  if (bytes <= 0) return Status::invalid_value;
  return copy(caller, bytes, n, {to, to_step * bytes}, {from, from_step * bytes}, kKind, stream);
}

template <class Int, cudaMemcpyKind kKind>
Status copy_vector(const Caller& caller, Int n, Int element_bytes, const void* from, Int from_step,
                   void* to, Int to_step) {
  return copy_vector_async<Int, kKind>(caller, n, element_bytes, from, from_step, to, to_step,
                                       nullptr);
}

template <class Int, cudaMemcpyKind kKind>
Status copy_matrix_async(const Caller& caller, Int rows, Int columns, Int element_bytes,
                         const void* from, Int from_leading, void* to, Int to_leading,
                         cudaStream_t stream) {
  const std::int64_t bytes = element_bytes;
  if (bytes <= 0) return Status::invalid_value;
  return copy(caller, rows * bytes, columns, {to, to_leading * bytes}, {from, from_leading * bytes},
              kKind, stream);
}

template <class Int, cudaMemcpyKind kKind>
Status copy_matrix(const Caller& caller, Int rows, Int columns, Int element_bytes, const void* from,
                   Int from_leading, void* to, Int to_leading) {
  return copy_matrix_async<Int, kKind>(caller, rows, columns, element_bytes, from, from_leading, to,
                                       to_leading, nullptr);
}

}  // namespace
}  // namespace warpsim::cublas

#define WARPSIM_EXPORT_COPY(name, function, kind)                  \
  WARPSIM_EXPORT(name, name, warpsim::cublas::function<int, kind>) \
  WARPSIM_EXPORT(name##_64, name##_64, warpsim::cublas::function<std::int64_t, kind>)
#define WARPSIM_EXPORT_COPIES(what, function)                                           \
  WARPSIM_EXPORT_COPY(cublasSet##what, function, cudaMemcpyHostToDevice)                \
  WARPSIM_EXPORT_COPY(cublasGet##what, function, cudaMemcpyDeviceToHost)                \
  WARPSIM_EXPORT_COPY(cublasSet##what##Async, function##_async, cudaMemcpyHostToDevice) \
  WARPSIM_EXPORT_COPY(cublasGet##what##Async, function##_async, cudaMemcpyDeviceToHost)
WARPSIM_EXPORT_COPIES(Vector, copy_vector)
WARPSIM_EXPORT_COPIES(Matrix, copy_matrix)
