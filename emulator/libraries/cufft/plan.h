#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <string>

#include "emulator/libraries/cufft/transform.h"
#include "emulator/libraries/cufft/types.h"
#include "emulator/libraries/runtime_entry.h"

namespace warpsim::cufft {

/// cufftHandle. Work that was issued keeps its transform.
struct Plan {
  std::shared_ptr<Transform> transform;  // null until cufftMakePlan
  cudaStream_t stream = nullptr;
  bool allocates_work_area = true;
  void* work_area = nullptr;  // of cufftSetWorkArea
};

/// cufftCreate and cufftDestroy.
Status create(const libraries::Caller& caller, int* handle);
Status destroy(const libraries::Caller& caller, int handle);

/// Makes a plan that was created; reports one that has been made before.
Status set_transform(const libraries::Caller& caller, int handle,
                     std::shared_ptr<Transform> transform);

/// The handle's plan; reports a handle that is not in use.
[[nodiscard]] std::optional<Plan> find_plan(const libraries::Caller& caller, int handle);

/// Reports a call with a plan of cufftCreate that does not transform yet. @returns the status
Status refuse_unmade(const libraries::Caller& caller);

/// Reports a call whose argument is refused. @returns the status
Status refuse(const libraries::Caller& caller, const std::string& got, const std::string& want,
              Status status);

/// "CUFFT_INVALID_PLAN"
[[nodiscard]] const char* name_of(Status status);
/// "CUFFT_C2C"; null for a number that is none
[[nodiscard]] const char* name_of(Type type);

}  // namespace warpsim::cufft
