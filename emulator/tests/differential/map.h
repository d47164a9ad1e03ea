#pragma once

#include <tuple>

#include "emulator/tests/differential/map_case.h"

// Kernels that apply one function object to every element. The function object is the test: the
// device runs its __device__ body, the host its __host__ body.

namespace differential {

inline constexpr int kMapBlock = 96;

template <class F, class R, class... A>
__global__ void map_kernel(R* out, int n, const A*... in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = F{}(in[i]...);
}

/// How a type of an argument is described; half types map to their tag.
template <class T>
struct Described {
  using Tag = T;
};

/// The ValueType of T, or null for a type that is not a scalar.
template <class T>
const ValueType* describe() {
  if constexpr (std::is_class_v<T> && std::is_same_v<typename Described<T>::Tag, T>) {
    return nullptr;
  } else {
    return &value_type<typename Described<T>::Tag>();
  }
}

template <class F, class R, class... A, std::size_t... I>
MapCase make_map(std::index_sequence<I...>) {
  MapCase map;
  map.arguments = {describe<A>()...};
  map.result = describe<R>();
  map.result_size = sizeof(R);
  map.host = [](const std::uint64_t* row, void* out) {
    std::tuple<A...> values;
    (__builtin_memcpy(static_cast<void*>(&std::get<I>(values)), row + I, sizeof(A)), ...);
    if constexpr (requires { F::valid(std::get<I>(values)...); }) {
      if (!F::valid(std::get<I>(values)...)) return false;
    }
    const R result = F{}(std::get<I>(values)...);
    __builtin_memcpy(out, &result, sizeof(R));
    return true;
  };
  map.launch = [](void* out, int rows, const void* const* in) {
    map_kernel<F, R, A...><<<(rows + kMapBlock - 1) / kMapBlock, kMapBlock>>>(
        static_cast<R*>(out), rows, static_cast<const A*>(in[I])...);
  };
  return map;
}

/// Registers F over the standard inputs of its argument types A.
template <class F, class... A>
void add_map(Suite& suite, std::string name, Tolerance tolerance = kExact) {
  using R = std::decay_t<std::invoke_result_t<F, A...>>;
  MapCase map = make_map<F, R, A...>(std::index_sequence_for<A...>{});
  map.tolerance = tolerance;
  add_map_case(suite, std::move(name), std::move(map));
}

/// The same for each type of the list: F gets `Arity` arguments of that type.
template <int Arity, class F, class... T>
void add_maps(Suite& suite, const std::string& name, Types<T...> types,
              Tolerance tolerance = kExact) {
  for_each_type(types, [&]<class T1>() {
    const std::string full = name + " " + describe<T1>()->name;
    if constexpr (Arity == 1) add_map<F, T1>(suite, full, tolerance);
    if constexpr (Arity == 2) add_map<F, T1, T1>(suite, full, tolerance);
    if constexpr (Arity == 3) add_map<F, T1, T1, T1>(suite, full, tolerance);
  });
}

}  // namespace differential

// One functor, two bodies: `device` is what the kernel compiles, `host` is the model it is held
// against. Only for expressions; where both sides can compile the same code, write it once.
// Helpers of the model are unused while the kernel is compiled.
#pragma nv_diag_suppress 177
#ifdef __CUDA_ARCH__
#define DEVICE_OR_HOST(device, host) (device)
#else
#define DEVICE_OR_HOST(device, host) (host)
#endif
