#include "emulator/libraries/cublasLt/matmul.h"

// Products, and the algorithms for them, of which there is one.

namespace warpsim::cublas_lt {
namespace {

using cublas::Half;
using libraries::Scalar;

/// @tparam T, S  of the sums and of the scalars
template <class T, class S>
Status submit_matmul(Request& request, const Product& p, const Operands& operands,
                     const void* alpha, const void* beta, void* workspace,
                     std::size_t workspace_bytes) {
  const Scalar<S> factor = request.scalar("alpha", static_cast<const S*>(alpha));
  const Scalar<S> kept = request.scalar("beta", static_cast<const S*>(beta));
  const auto value = [](const Scalar<S>& scalar, const Arguments& parameters) -> T {
    if constexpr (std::is_same_v<S, Half>) {
      return libraries::from_half(scalar.get(parameters).bits);
    } else {
      return scalar.get(parameters);
    }
  };
  return request.submit(
      [=](const Arguments& parameters) {
        const bool used = value(factor, parameters) != T{} && p.inner() > 0;
        Arguments arguments =
            arguments_of(p, operands, libraries::read_if(used), value(kept, parameters) != T{});
        arguments.push_back(libraries::vector_of(
            "workspace", workspace, 1, static_cast<std::int64_t>(workspace_bytes), 1, Use::write));
        arguments.back().shape = fmt::format("{} bytes", workspace_bytes);
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        for (std::int64_t i = 0; i < p.d.batch; ++i) {
          multiply_one<T>(p, value(factor, parameters), value(kept, parameters), arguments, i);
        }
      });
}

cublas::PointerMode mode_of(const MatmulDescriptor* descriptor) {
  return is_initialized(descriptor) && descriptor->pointer_mode == 1 ? cublas::PointerMode::device
                                                                     : cublas::PointerMode::host;
}

Status matmul(const Caller& caller, const void* handle, const MatmulDescriptor* descriptor,
              const void* alpha, const void* a, const Layout* a_layout, const void* b,
              const Layout* b_layout, const void* beta, const void* c, const Layout* c_layout,
              void* d, const Layout* d_layout, const Algorithm* algorithm, void* workspace,
              std::size_t workspace_bytes, cudaStream_t stream) {
  Request request(caller, stream, mode_of(descriptor));
  const Product p =
      check_matmul(request, handle, descriptor, a_layout, b_layout, c_layout, d_layout);
  if (request.valid()) check_epilogue(request, p);
  if (algorithm != nullptr && algorithm->magic != Algorithm::kMagic) {
    request.refuse("algo is not one of cublasLt's",
                   "one of cublasLtMatmulAlgoGetHeuristic, or a null pointer");
  }
  if (request.valid() && (p.rows() == 0 || p.columns() == 0)) return Status::success;
  if (!request.valid()) return request.status();
  request.costs(
      cublas::cost_of({p.a.type, p.b.type, p.c.type, p.scalar},
                      2.0 * static_cast<double>(p.rows()) * static_cast<double>(p.columns()) *
                          static_cast<double>(p.inner()) * p.d.batch));
  const Operands operands = {.a = a, .b = b, .c = c, .d = d};
  const auto submit = [&]<class T, class S>(T /*sums*/, S /*scalars*/) {
    return submit_matmul<T, S>(request, p, operands, alpha, beta, workspace,
                               workspace == nullptr ? 0 : workspace_bytes);
  };
  switch (p.scalar) {
    case DataType::f64:
      return submit(double{}, double{});
    case DataType::c32:
      return submit(std::complex<float>{}, std::complex<float>{});
    case DataType::c64:
      return submit(std::complex<double>{}, std::complex<double>{});
    case DataType::f16:
      return submit(float{}, Half{});
    default:
      return submit(float{}, float{});
  }
}

/// Gives the one algorithm, for a product that there is.
Status heuristic(const Caller& caller, const void* handle, const MatmulDescriptor* descriptor,
                 const Layout* a, const Layout* b, const Layout* c, const Layout* d,
                 const Preference* preference, int asked, HeuristicResult* results, int* count) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  if (count != nullptr) *count = 0;
  (void)check_matmul(request, handle, descriptor, a, b, c, d);
  (void)cublas_lt::descriptor(request, "preference", preference);
  request.pointer("heuristicResultsArray", results);
  request.pointer("returnAlgoCount", count);
  if (asked < 1) request.refuse(fmt::format("requestedAlgoCount is {}", asked), "at least 1");
  if (!request.valid()) return request.status();
  results[0] = {};
  *count = 1;
  return Status::success;
}

Status check_algorithm(const Caller& caller, const void* handle, const MatmulDescriptor* descriptor,
                       const Layout* a, const Layout* b, const Layout* c, const Layout* d,
                       const Algorithm* algorithm, HeuristicResult* result) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  (void)check_matmul(request, handle, descriptor, a, b, c, d);
  request.pointer("algo", algorithm);
  request.pointer("result", result);
  if (request.valid() && algorithm->magic != Algorithm::kMagic) {
    request.refuse("algo is not one of cublasLt's", "one of cublasLtMatmulAlgoGetHeuristic");
  }
  if (request.valid()) *result = {};
  return request.status();
}

Status algorithm_ids(const Caller& caller, const void* handle, Compute compute, DataType /*scale*/,
                     DataType a, DataType b, DataType c, DataType /*d*/, int asked, int* ids,
                     int* count) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  check_handle(request, handle);
  request.pointer("algoIdsArray", ids);
  request.pointer("returnAlgoCount", count);
  if (asked < 1) request.refuse(fmt::format("requestedAlgoCount is {}", asked), "at least 1");
  if (!cublas::scalar_of(a, b, c, compute)) {
    request.refuse("there is no product of these types", "types that docs/libraries.md lists",
                   Status::not_supported);
  }
  if (!request.valid()) return request.status();
  ids[0] = 0;
  *count = 1;
  return Status::success;
}

Status initialize_algorithm(const Caller& caller, const void* handle, Compute /*compute*/,
                            DataType /*scale*/, DataType /*a*/, DataType /*b*/, DataType /*c*/,
                            DataType /*d*/, int id, Algorithm* algorithm) {
  Request request(caller, nullptr, cublas::PointerMode::host);
  check_handle(request, handle);
  request.pointer("algo", algorithm);
  if (id != 0) request.refuse(fmt::format("algoId is {}", id), "one of cublasLtMatmulAlgoGetIds");
  if (request.valid()) *algorithm = {};
  return request.status();
}

}  // namespace
}  // namespace warpsim::cublas_lt

WARPSIM_EXPORT_LT(cublasLtMatmul, matmul)
WARPSIM_EXPORT_LT(cublasLtMatmulAlgoGetHeuristic, heuristic)
WARPSIM_EXPORT_LT(cublasLtMatmulAlgoCheck, check_algorithm)
WARPSIM_EXPORT_LT(cublasLtMatmulAlgoGetIds, algorithm_ids)
WARPSIM_EXPORT_LT(cublasLtMatmulAlgoInit, initialize_algorithm)
