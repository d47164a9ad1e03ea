#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/libraries/cufft/plan.h"
#include "emulator/libraries/exported.h"

// What plans transform, as programs say it, and the sizes of work areas.

namespace warpsim::cufft {
namespace {

using libraries::Caller;

/// One side as a program gives it; a null pointer is the basic layout.
template <class Size>
struct Given {
  const Size* sizes = nullptr;
  std::int64_t stride = 1, distance = 0;
};

template <class Size>
Embedding embedding(const Given<Size>& given, int rank) {
  if (given.sizes == nullptr) return {};
  return {.sizes = {given.sizes, given.sizes + rank},
          .stride = given.stride,
          .distance = given.distance};
}

Status check_side(const Caller& caller, const Embedding& side, char letter) {
  if (side.stride <= 0) {
    return refuse(caller, fmt::format("{}stride is {}", letter, side.stride), "at least 1",
                  Status::invalid_value);
  }
  if (side.distance <= 0) {
    return refuse(caller, fmt::format("{}dist is {}", letter, side.distance), "at least 1",
                  Status::invalid_value);
  }
  return Status::success;
}

Status check(const Caller& caller, const Shape& shape) {
  if (name_of(shape.type) == nullptr) {
    return refuse(caller, fmt::format("type is {}", static_cast<int>(shape.type)),
                  "a constant of cufftType", Status::invalid_type);
  }
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) {
    if (shape.sizes[i] <= 0) {
      return refuse(caller,
                    fmt::format("the transform's size in dimension {} is {}", i, shape.sizes[i]),
                    "at least 1", Status::invalid_size);
    }
  }
  if (shape.batch <= 0) {
    return refuse(caller, fmt::format("batch is {}", shape.batch), "at least 1",
                  Status::invalid_size);
  }
  if (shape.input.sizes.empty() != shape.output.sizes.empty()) {
    return refuse(caller, "one of inembed and onembed is a null pointer", "both, or none",
                  Status::invalid_value);
  }
  if (shape.is_embedded()) {
    const Status status = check_side(caller, shape.input, 'i');
    return status != Status::success ? status : check_side(caller, shape.output, 'o');
  }
  return Status::success;
}

Status refuse_null_size(const Caller& caller) {
  return refuse(caller, "workSize is a null pointer", "its address", Status::invalid_value);
}

/// Sets what a plan transforms.
Status make(const Caller& caller, int handle, Shape shape, std::size_t* work_bytes) {
  if (work_bytes == nullptr) return refuse_null_size(caller);
  const Status valid = check(caller, shape);
  if (valid != Status::success) return valid;
  const std::size_t bytes = shape.work_bytes();
  const Status status =
      set_transform(caller, handle, std::make_shared<Transform>(std::move(shape)));
  if (status == Status::success) *work_bytes = bytes;
  return status;
}

/// Of functions that only say how large the work area is.
Status estimate(const Caller& caller, const Shape& shape, std::size_t* work_bytes) {
  if (work_bytes == nullptr) return refuse_null_size(caller);
  const Status valid = check(caller, shape);
  if (valid == Status::success) *work_bytes = shape.work_bytes();
  return valid;
}

Shape simple(Type type, std::vector<std::int64_t> sizes, std::int64_t batch = 1) {
  return {.type = type, .sizes = std::move(sizes), .batch = batch, .input = {}, .output = {}};
}

/// The arguments of cufftPlanMany and its kin, checked as far as a Shape cannot hold them.
template <class Size>
struct Many {
  int rank;
  const Size* sizes;
  Given<Size> input, output;
  Type type;
  std::int64_t batch;

  template <class Use>  // of a Shape
  Status use(const Caller& caller, Use use) const {
    if (rank < 1 || rank > 3) {
      return refuse(caller, fmt::format("rank is {}", rank), "1, 2 or 3", Status::invalid_value);
    }
    if (sizes == nullptr) {
      return refuse(caller, "n is a null pointer", "the address of the sizes",
                    Status::invalid_value);
    }
    return use(Shape{.type = type,
                     .sizes = {sizes, sizes + rank},
                     .batch = batch,
                     .input = embedding(input, rank),
                     .output = embedding(output, rank)});
  }
};

/// Creates a plan, makes it, and takes it away again if that was refused.
template <class Make>
Status created(const Caller& caller, int* handle, Make make) {
  Status status = create(caller, handle);
  if (status != Status::success) return status;
  std::size_t work = 0;
  status = make(&work);
  if (status != Status::success) (void)destroy(caller, *handle);
  return status;
}

Status plan_1d(const Caller& caller, int* handle, int x, Type type, int batch) {
  return created(caller, handle, [&](std::size_t* work) {
    return make(caller, *handle, simple(type, {x}, batch), work);
  });
}
Status plan_2d(const Caller& caller, int* handle, int x, int y, Type type) {
  return created(caller, handle, [&](std::size_t* work) {
    return make(caller, *handle, simple(type, {x, y}), work);
  });
}
Status plan_3d(const Caller& caller, int* handle, int x, int y, int z, Type type) {
  return created(caller, handle, [&](std::size_t* work) {
    return make(caller, *handle, simple(type, {x, y, z}), work);
  });
}

Status make_1d(const Caller& caller, int handle, int x, Type type, int batch, std::size_t* work) {
  return make(caller, handle, simple(type, {x}, batch), work);
}
Status make_2d(const Caller& caller, int handle, int x, int y, Type type, std::size_t* work) {
  return make(caller, handle, simple(type, {x, y}), work);
}
Status make_3d(const Caller& caller, int handle, int x, int y, int z, Type type,
               std::size_t* work) {
  return make(caller, handle, simple(type, {x, y, z}), work);
}

template <class Size>
Status make_many(const Caller& caller, int handle, int rank, Size* sizes, Size* in_sizes,
                 Size in_stride, Size in_distance, Size* out_sizes, Size out_stride,
                 Size out_distance, Type type, Size batch, std::size_t* work) {
  const Many<Size> many{
      rank, sizes, {in_sizes, in_stride, in_distance}, {out_sizes, out_stride, out_distance},
      type, batch};
  return many.use(caller,
                  [&](Shape shape) { return make(caller, handle, std::move(shape), work); });
}

Status plan_many(const Caller& caller, int* handle, int rank, int* sizes, int* in_sizes,
                 int in_stride, int in_distance, int* out_sizes, int out_stride, int out_distance,
                 Type type, int batch) {
  return created(caller, handle, [&](std::size_t* work) {
    return make_many<int>(caller, *handle, rank, sizes, in_sizes, in_stride, in_distance, out_sizes,
                          out_stride, out_distance, type, batch, work);
  });
}

Status estimate_1d(const Caller& caller, int x, Type type, int batch, std::size_t* work) {
  return estimate(caller, simple(type, {x}, batch), work);
}
Status estimate_2d(const Caller& caller, int x, int y, Type type, std::size_t* work) {
  return estimate(caller, simple(type, {x, y}), work);
}
Status estimate_3d(const Caller& caller, int x, int y, int z, Type type, std::size_t* work) {
  return estimate(caller, simple(type, {x, y, z}), work);
}

template <class Size>
Status estimate_many(const Caller& caller, int rank, Size* sizes, Size* in_sizes, Size in_stride,
                     Size in_distance, Size* out_sizes, Size out_stride, Size out_distance,
                     Type type, Size batch, std::size_t* work) {
  const Many<Size> many{
      rank, sizes, {in_sizes, in_stride, in_distance}, {out_sizes, out_stride, out_distance},
      type, batch};
  return many.use(caller, [&](const Shape& shape) { return estimate(caller, shape, work); });
}

Status size_1d(const Caller& caller, int handle, int x, Type type, int batch, std::size_t* work) {
  if (!find_plan(caller, handle)) return Status::invalid_plan;
  return estimate_1d(caller, x, type, batch, work);
}
Status size_2d(const Caller& caller, int handle, int x, int y, Type type, std::size_t* work) {
  if (!find_plan(caller, handle)) return Status::invalid_plan;
  return estimate_2d(caller, x, y, type, work);
}
Status size_3d(const Caller& caller, int handle, int x, int y, int z, Type type,
               std::size_t* work) {
  if (!find_plan(caller, handle)) return Status::invalid_plan;
  return estimate_3d(caller, x, y, z, type, work);
}
template <class Size>
Status size_many(const Caller& caller, int handle, int rank, Size* sizes, Size* in_sizes,
                 Size in_stride, Size in_distance, Size* out_sizes, Size out_stride,
                 Size out_distance, Type type, Size batch, std::size_t* work) {
  if (!find_plan(caller, handle)) return Status::invalid_plan;
  return estimate_many(caller, rank, sizes, in_sizes, in_stride, in_distance, out_sizes, out_stride,
                       out_distance, type, batch, work);
}

Status size_of_plan(const Caller& caller, int handle, std::size_t* work) {
  const std::optional<Plan> plan = find_plan(caller, handle);
  if (!plan) return Status::invalid_plan;
  if (work == nullptr) return refuse_null_size(caller);
  if (plan->transform == nullptr) return refuse_unmade(caller);
  *work = plan->transform->shape().work_bytes();
  return Status::success;
}

}  // namespace
}  // namespace warpsim::cufft

WARPSIM_EXPORT(cufftPlan1d, cufftPlan1d, warpsim::cufft::plan_1d)
WARPSIM_EXPORT(cufftPlan2d, cufftPlan2d, warpsim::cufft::plan_2d)
WARPSIM_EXPORT(cufftPlan3d, cufftPlan3d, warpsim::cufft::plan_3d)
WARPSIM_EXPORT(cufftPlanMany, cufftPlanMany, warpsim::cufft::plan_many)
WARPSIM_EXPORT(cufftMakePlan1d, cufftMakePlan1d, warpsim::cufft::make_1d)
WARPSIM_EXPORT(cufftMakePlan2d, cufftMakePlan2d, warpsim::cufft::make_2d)
WARPSIM_EXPORT(cufftMakePlan3d, cufftMakePlan3d, warpsim::cufft::make_3d)
WARPSIM_EXPORT(cufftMakePlanMany, cufftMakePlanMany, warpsim::cufft::make_many<int>)
WARPSIM_EXPORT(cufftMakePlanMany64, cufftMakePlanMany64, warpsim::cufft::make_many<long long>)
WARPSIM_EXPORT(cufftEstimate1d, cufftEstimate1d, warpsim::cufft::estimate_1d)
WARPSIM_EXPORT(cufftEstimate2d, cufftEstimate2d, warpsim::cufft::estimate_2d)
WARPSIM_EXPORT(cufftEstimate3d, cufftEstimate3d, warpsim::cufft::estimate_3d)
WARPSIM_EXPORT(cufftEstimateMany, cufftEstimateMany, warpsim::cufft::estimate_many<int>)
WARPSIM_EXPORT(cufftGetSize1d, cufftGetSize1d, warpsim::cufft::size_1d)
WARPSIM_EXPORT(cufftGetSize2d, cufftGetSize2d, warpsim::cufft::size_2d)
WARPSIM_EXPORT(cufftGetSize3d, cufftGetSize3d, warpsim::cufft::size_3d)
WARPSIM_EXPORT(cufftGetSizeMany, cufftGetSizeMany, warpsim::cufft::size_many<int>)
WARPSIM_EXPORT(cufftGetSizeMany64, cufftGetSizeMany64, warpsim::cufft::size_many<long long>)
WARPSIM_EXPORT(cufftGetSize, cufftGetSize, warpsim::cufft::size_of_plan)
