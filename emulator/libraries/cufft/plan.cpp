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

}  // namespace

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

Status set_transform(const Caller& caller, int handle, std::shared_ptr<Transform> transform) {
  bool made_before = false;
  const Status status = with(caller, handle, [&](Plan& plan) {
    made_before = plan.transform != nullptr;
    if (!made_before) plan.transform = std::move(transform);
    return Status::success;
  });
  if (!made_before) return status;
  return refuse(caller, "the plan has been made", "a plan of cufftCreate that is not made yet",
                Status::invalid_plan);
}

namespace {

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
WARPSIM_EXPORT(cufftSetStream, cufftSetStream, warpsim::cufft::set_stream)
WARPSIM_EXPORT(cufftSetWorkArea, cufftSetWorkArea, warpsim::cufft::set_work_area)
WARPSIM_EXPORT(cufftSetAutoAllocation, cufftSetAutoAllocation, warpsim::cufft::set_auto_allocation)
WARPSIM_EXPORT(cufftSetPlanPropertyInt64, cufftSetPlanPropertyInt64, warpsim::cufft::set_property)
WARPSIM_EXPORT(cufftResetPlanProperty, cufftResetPlanProperty, warpsim::cufft::reset_property)
