#pragma once

/// cuBLAS, where the toolkit has it: AGAINST_HAS_CUBLAS.

#if __has_include(<cublas_v2.h>) && !defined(AGAINST_WITHOUT_CUBLAS)
#include <cublasLt.h>
#include <cublas_v2.h>

#include <stdexcept>
#include <string>
#define AGAINST_HAS_CUBLAS 1

namespace against {

/// @throws std::runtime_error  with `what` and the error's name, unless it is a success
inline void check_cublas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

/// Made when it is first used, as a process without a GPU cannot make one.
class CublasHandle {
 public:
  [[nodiscard]] cublasHandle_t get() {
    if (handle_ == nullptr) check_cublas(cublasCreate(&handle_), "cublasCreate");
    return handle_;
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace against
#endif
