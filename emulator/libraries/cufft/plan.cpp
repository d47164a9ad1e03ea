#include "emulator/libraries/cufft/plan.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/libraries/exported.h"
#include "emulator/libraries/version_part.h"

// Handles: what they transform, and their options.

namespace warpsim::cufft {
namespace {

using libraries::Caller;

struct Plans {
  std::mutex mutex;
  std::map<int, Plan> live;
  int next = 1;
};

/// Never destroyed, since static destructors of a program may still call the library.
Plans& plans() {
  static auto& instance = *new Plans;
  return instance;
}

/// @param change  of the handle's plan, gives the status
template <class Change>
Status with(const Caller& caller, int handle, Change change) {
  {
    Plans& all = plans();
    const std::lock_guard lock(all.mutex);
    const auto found = all.live.find(handle);
    if (found != all.live.end()) return change(found->second);
  }
  return refuse(caller, fmt::format("plan is {}, which is not one that is in use", handle),
                "a plan of cufftCreate or cufftPlan, before cufftDestroy", Status::invalid_plan);
}

Status create(const Caller& caller, int* handle) {
  if (handle == nullptr) {
    return refuse(caller, "handle is a null pointer", "its address", Status::invalid_value);
  }
  if (libraries::runtime() == nullptr) return Status::setup_failed;
  Plans& all = plans();
  const std::lock_guard lock(all.mutex);
  *handle = all.next++;
  all.live.emplace(*handle, Plan{});
  return Status::success;
}

Status destroy(const Caller& caller, int handle) {
  if (handle == kNoPlan) return Status::success;
  std::shared_ptr<Transform> last;  // is destroyed without the lock
  Status status = with(caller, handle, [&](Plan& plan) {
    last = std::move(plan.transform);
    return Status::success;
  });
  const std::lock_guard lock(plans().mutex);
  plans().live.erase(handle);
  return status;
}

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
  const auto transform = std::make_shared<Transform>(std::move(shape));
  bool made_before = false;
  const Status status = with(caller, handle, [&](Plan& plan) {
    made_before = plan.transform != nullptr;
    if (!made_before) plan.transform = transform;
    return Status::success;
  });
  if (made_before) {
    return refuse(caller, "the plan has been made", "a plan of cufftCreate that is not made yet",
                  Status::invalid_plan);
  }
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

Status set_stream(const Caller& caller, int handle, cudaStream_t stream) {
  return with(caller, handle, [&](Plan& plan) {
    plan.stream = stream;
    return Status::success;
  });
}

Status set_work_area(const Caller& caller, int handle, void* area) {
  return with(caller, handle, [&](Plan& plan) {
    plan.work_area = area;
    return Status::success;
  });
}

Status set_auto_allocation(const Caller& caller, int handle, int allocates) {
  return with(caller, handle, [&](Plan& plan) {
    plan.allocates_work_area = allocates != 0;
    return Status::success;
  });
}

/// How NVIDIA's library compiles its kernels; there are none here.
Status set_property(const Caller& caller, int handle, int /*property*/, long long /*value*/) {
  return with(caller, handle, [](Plan&) { return Status::success; });
}
Status reset_property(const Caller& caller, int handle, int /*property*/) {
  return with(caller, handle, [](Plan&) { return Status::success; });
}

}  // namespace

std::optional<Plan> find_plan(const Caller& caller, int handle) {
  std::optional<Plan> found;
  (void)with(caller, handle, [&](Plan& plan) {
    found = plan;
    return Status::success;
  });
  return found;
}

Status refuse_unmade(const Caller& caller) {
  return refuse(caller, "the plan has not been made", "cufftMakePlan before", Status::invalid_plan);
}

Status refuse(const Caller& caller, const std::string& got, const std::string& want,
              Status status) {
  if (const auto* const runtime = libraries::runtime()) {
    runtime->refuse(caller.name, caller.return_address,
                    {.got = got, .want = want, .status = name_of(status)});
  }
  return status;
}

const char* name_of(Status status) {
  switch (status) {
    case Status::success:
      return "CUFFT_SUCCESS";
    case Status::invalid_plan:
      return "CUFFT_INVALID_PLAN";
    case Status::alloc_failed:
      return "CUFFT_ALLOC_FAILED";
    case Status::invalid_type:
      return "CUFFT_INVALID_TYPE";
    case Status::invalid_value:
      return "CUFFT_INVALID_VALUE";
    case Status::exec_failed:
      return "CUFFT_EXEC_FAILED";
    case Status::setup_failed:
      return "CUFFT_SETUP_FAILED";
    case Status::invalid_size:
      return "CUFFT_INVALID_SIZE";
    case Status::not_implemented:
      return "CUFFT_NOT_IMPLEMENTED";
    case Status::not_supported:
      return "CUFFT_NOT_SUPPORTED";
    case Status::internal_error:
      break;
  }
  return "CUFFT_INTERNAL_ERROR";
}

const char* name_of(Type type) {
  switch (type) {
    case Type::c2c:
      return "CUFFT_C2C";
    case Type::r2c:
      return "CUFFT_R2C";
    case Type::c2r:
      return "CUFFT_C2R";
    case Type::z2z:
      return "CUFFT_Z2Z";
    case Type::d2z:
      return "CUFFT_D2Z";
    case Type::z2d:
      return "CUFFT_Z2D";
  }
  return nullptr;
}

}  // namespace warpsim::cufft

extern "C" {

warpsim::cufft::Status cufftGetVersion(int* version) {
  if (version != nullptr) *version = warpsim::cufft::kVersion;
  return warpsim::cufft::Status::success;
}

warpsim::cufft::Status cufftGetProperty(int part, int* value) {
  return warpsim::libraries::version_part(warpsim::cufft::kVersion, 1000, part, value)
             ? warpsim::cufft::Status::success
             : warpsim::cufft::Status::invalid_value;
}

}  // extern "C"

WARPSIM_EXPORT(cufftCreate, cufftCreate, warpsim::cufft::create)
WARPSIM_EXPORT(cufftDestroy, cufftDestroy, warpsim::cufft::destroy)
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
WARPSIM_EXPORT(cufftSetStream, cufftSetStream, warpsim::cufft::set_stream)
WARPSIM_EXPORT(cufftSetWorkArea, cufftSetWorkArea, warpsim::cufft::set_work_area)
WARPSIM_EXPORT(cufftSetAutoAllocation, cufftSetAutoAllocation, warpsim::cufft::set_auto_allocation)
WARPSIM_EXPORT(cufftSetPlanPropertyInt64, cufftSetPlanPropertyInt64, warpsim::cufft::set_property)
WARPSIM_EXPORT(cufftResetPlanProperty, cufftResetPlanProperty, warpsim::cufft::reset_property)
