#include <memory>
#include <vector>

#include "emulator/libraries/cusparse/matrix.h"

// A sparse vector with a dense one: only the elements that the indices name are used.

namespace warpsim::cusparse {
namespace {

using libraries::output;

/// The elements of a dense vector that the indices name.
LibraryArgument named_elements(const char* name, const DenseVector& y, const SparseVector& x,
                               const LibraryArgument& indices, Use use) {
  Arguments made;
  append(made, name, y, use);
  const std::size_t bytes = libraries::bytes_of(y.type);
  const auto offsets = std::make_shared<std::vector<std::uint64_t>>();
  for (std::int64_t at = 0; at < x.entries; ++at) {
    const std::int64_t index =
        index_at(x.index_type, indices.host, at) - static_cast<std::int64_t>(x.base);
    // Others are reported, and the work is not done.
    if (index >= 0 && index < y.size) {
      offsets->push_back(static_cast<std::uint64_t>(index) * bytes);
    }
  }
  made[0].pieces = [offsets, bytes](const auto& piece) {
    for (const std::uint64_t offset : *offsets) piece(offset, bytes);
  };
  return made[0];
}

/// What the functions of a sparse and a dense vector have in common.
struct Pair {
  SparseVector x;
  DenseVector y;

  /// The place of an entry in the dense vector.
  [[nodiscard]] std::size_t at(const Arguments& parameters, std::int64_t entry) const {
    return static_cast<std::size_t>(index_at(x.index_type, parameters[0].host, entry) -
                                    static_cast<std::int64_t>(x.base));
  }
};

Pair check_pair(Request& request, const SparseVector* x, const DenseVector* y) {
  const Pair pair = {.x = request.descriptor("vecX", x), .y = request.descriptor("vecY", y)};
  request.equal("vecX.size", pair.x.size, "vecY.size", pair.y.size);
  if (pair.x.type != pair.y.type) {
    request.refuse_types(fmt::format("vecX is {}, and vecY is {}", libraries::in_words(pair.x.type),
                                     libraries::in_words(pair.y.type)));
  }
  if (!request.valid()) return pair;
  Arguments arrays;
  append(arrays, "vecX", pair.x, Use::read, Use::none);
  request.parameter(arrays[0]);
  request.checks([x = pair.x](const Arguments& parameters, const Arguments&) {
    return wrong_structure("vecX", x, parameters.data());
  });
  return pair;
}

/// The type that sums of such elements are in.
DataType sums_of(DataType type) {
  return libraries::is_half(type) ? DataType::f32 : type;
}

/// @param run  (parameters, the values of x, those of y)
template <class Run>
Status submit_pair(Request& request, const Pair& pair, Use use_x, Use use_y, Run run) {
  return request.submit(
      [=](const Arguments& parameters) {
        Arguments arguments;
        append(arguments, "vecX", pair.x, Use::none, use_x);
        arguments.push_back(named_elements("vecY", pair.y, pair.x, parameters[0], use_y));
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        run(parameters, arguments[1].host, arguments[2].host);
      });
}

/// y = alpha x + beta y: with beta, all of y is used.
template <class T>
Status axpby_of(Request& request, const Pair& pair, const void* alpha, const void* beta) {
  const Scalar<T> factor = request.scalar("alpha", static_cast<const T*>(alpha));
  const Scalar<T> kept = request.scalar("beta", static_cast<const T*>(beta));
  request.costs<T>(static_cast<double>(2 * pair.x.entries + pair.y.size));
  return request.submit(
      [=](const Arguments& parameters) {
        Arguments arguments;
        append(arguments, "vecX", pair.x, Use::none,
               libraries::read_if(factor.get(parameters) != T{}));
        append(arguments, "vecY", pair.y, output(kept.get(parameters)));
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T x = factor.get(parameters);
        const T y = kept.get(parameters);
        std::byte* const dense = arguments[2].host;
        for (std::size_t i = 0; i < static_cast<std::size_t>(pair.y.size); ++i) {
          store(pair.y.type, dense, i, y == T{} ? T{} : y * load<T>(pair.y.type, dense, i));
        }
        for (std::int64_t i = 0; i < pair.x.entries && x != T{}; ++i) {
          const std::size_t at = pair.at(parameters, i);
          store(pair.y.type, dense, at,
                x * load<T>(pair.x.type, arguments[1].host, static_cast<std::size_t>(i)) +
                    load<T>(pair.y.type, dense, at));
        }
      });
}

Status axpby(const Caller& caller, Handle* handle, const void* alpha, const SparseVector* x,
             const void* beta, const DenseVector* y) {
  Request request(caller, handle);
  const Pair pair = check_pair(request, x, y);
  return by_type(request, sums_of(pair.x.type), "", [&](auto number) {
    return axpby_of<decltype(number)>(request, pair, alpha, beta);
  });
}

Status gather(const Caller& caller, Handle* handle, const DenseVector* y, const SparseVector* x) {
  Request request(caller, handle);
  const Pair pair = check_pair(request, x, y);
  return submit_pair(request, pair, Use::write, Use::read,
                     [pair](const Arguments& parameters, std::byte* sparse, std::byte* dense) {
                       const std::size_t bytes = libraries::bytes_of(pair.x.type);
                       for (std::int64_t i = 0; i < pair.x.entries; ++i) {
                         std::copy_n(dense + pair.at(parameters, i) * bytes, bytes,
                                     sparse + static_cast<std::size_t>(i) * bytes);
                       }
                     });
}

Status scatter(const Caller& caller, Handle* handle, const SparseVector* x, const DenseVector* y) {
  Request request(caller, handle);
  const Pair pair = check_pair(request, x, y);
  return submit_pair(request, pair, Use::read, Use::write,
                     [pair](const Arguments& parameters, std::byte* sparse, std::byte* dense) {
                       const std::size_t bytes = libraries::bytes_of(pair.x.type);
                       for (std::int64_t i = 0; i < pair.x.entries; ++i) {
                         std::copy_n(sparse + static_cast<std::size_t>(i) * bytes, bytes,
                                     dense + pair.at(parameters, i) * bytes);
                       }
                     });
}

template <class T>
Status rot_of(Request& request, const Pair& pair, const void* cosine, const void* sine) {
  const Scalar<T> c = request.scalar("c_coeff", static_cast<const T*>(cosine));
  const Scalar<T> s = request.scalar("s_coeff", static_cast<const T*>(sine));
  request.costs<T>(6.0 * static_cast<double>(pair.x.entries));
  return submit_pair(request, pair, Use::update, Use::update,
                     [=](const Arguments& parameters, std::byte* sparse, std::byte* dense) {
                       const DataType type = pair.x.type;
                       const T cs = c.get(parameters);
                       const T sn = s.get(parameters);
                       for (std::int64_t i = 0; i < pair.x.entries; ++i) {
                         const auto here = static_cast<std::size_t>(i);
                         const std::size_t there = pair.at(parameters, i);
                         const T x = load<T>(type, sparse, here);
                         const T y = load<T>(type, dense, there);
                         store(type, sparse, here, cs * x + sn * y);
                         store(type, dense, there, cs * y - sn * x);
                       }
                     });
}

Status rot(const Caller& caller, Handle* handle, const void* cosine, const void* sine,
           const SparseVector* x, const DenseVector* y) {
  Request request(caller, handle);
  const Pair pair = check_pair(request, x, y);
  return by_type(request, sums_of(pair.x.type), "", [&](auto number) {
    return rot_of<decltype(number)>(request, pair, cosine, sine);
  });
}

void check_dot(Request& request, Operation op_x, const Pair& pair, DataType compute) {
  request.operation("opX", op_x, pair.x.type);
  if (sums_of(pair.x.type) != compute) {
    request.refuse_types(fmt::format("vecX and vecY are {}, with compute type {}",
                                     libraries::in_words(pair.x.type),
                                     libraries::in_words(compute)));
  }
}

Status dot_buffer_size(const Caller& caller, Handle* handle, Operation op_x, const SparseVector* x,
                       const DenseVector* y, const void* /*result*/, DataType compute,
                       std::size_t* bytes) {
  Request request(caller, handle);
  check_dot(request, op_x, check_pair(request, x, y), compute);
  return request.gives_size(bytes, 8);
}

template <class T>
Status dot_of(Request& request, Operation op_x, const Pair& pair, void* result, void* buffer) {
  request.costs<T>(2.0 * static_cast<double>(pair.x.entries));
  request.buffer(buffer, 8);
  const auto sum = std::make_shared<T>();
  const bool device = request.on_device();
  request.pointer("result", result);
  if (!device) request.waits();
  const Status status = request.submit(
      [=](const Arguments& parameters) {
        Arguments arguments;
        append(arguments, "vecX", pair.x, Use::none, Use::read);
        arguments.push_back(named_elements("vecY", pair.y, pair.x, parameters[0], Use::read));
        arguments.push_back(buffer_of(buffer, 8, Use::write));
        if (device) {
          arguments.push_back(vector_of("result", static_cast<T*>(result), 1, 1, Use::write));
        }
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        T total = {};
        for (std::int64_t i = 0; i < pair.x.entries; ++i) {
          T x = load<T>(pair.x.type, arguments[1].host, static_cast<std::size_t>(i));
          if (op_x == Operation::conjugate_transpose) x = libraries::conjugate(x);
          total += x * load<T>(pair.y.type, arguments[2].host, pair.at(parameters, i));
        }
        *(device ? arguments.back().as<T>() : sum.get()) = total;
      });
  if (status == Status::success && !device) *static_cast<T*>(result) = *sum;
  return status;
}

Status dot(const Caller& caller, Handle* handle, Operation op_x, const SparseVector* x,
           const DenseVector* y, void* result, DataType compute, void* buffer) {
  Request request(caller, handle);
  const Pair pair = check_pair(request, x, y);
  check_dot(request, op_x, pair, compute);
  return by_type(request, compute, "", [&](auto number) {
    return dot_of<decltype(number)>(request, op_x, pair, result, buffer);
  });
}

}  // namespace
}  // namespace warpsim::cusparse

WARPSIM_EXPORT_OWN(cusparseAxpby, axpby)
WARPSIM_EXPORT_OWN(cusparseGather, gather)
WARPSIM_EXPORT_OWN(cusparseScatter, scatter)
WARPSIM_EXPORT_OWN(cusparseRot, rot)
WARPSIM_EXPORT_OWN(cusparseSpVV_bufferSize, dot_buffer_size)
WARPSIM_EXPORT_OWN(cusparseSpVV, dot)
