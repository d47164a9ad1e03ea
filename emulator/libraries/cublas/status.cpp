#include "emulator/libraries/cublas/status.h"

#include <algorithm>
#include <array>

namespace warpsim::cublas {
namespace {

struct StatusText {
  Status status;
  const char* name;
  const char* text;
};

constexpr std::array kTexts = {
    StatusText{Status::success, "CUBLAS_STATUS_SUCCESS", "success"},
    StatusText{Status::not_initialized, "CUBLAS_STATUS_NOT_INITIALIZED",
               "the library was not initialized"},
    StatusText{Status::alloc_failed, "CUBLAS_STATUS_ALLOC_FAILED",
               "the resource allocation failed"},
    StatusText{Status::invalid_value, "CUBLAS_STATUS_INVALID_VALUE",
               "an unsupported value or parameter was passed to the function"},
    StatusText{Status::arch_mismatch, "CUBLAS_STATUS_ARCH_MISMATCH",
               "the device lacks a feature that the function needs"},
    StatusText{Status::mapping_error, "CUBLAS_STATUS_MAPPING_ERROR",
               "an access to GPU memory space failed"},
    StatusText{Status::execution_failed, "CUBLAS_STATUS_EXECUTION_FAILED",
               "the GPU program failed to execute"},
    StatusText{Status::internal_error, "CUBLAS_STATUS_INTERNAL_ERROR",
               "an internal operation failed"},
    StatusText{Status::not_supported, "CUBLAS_STATUS_NOT_SUPPORTED",
               "the functionality is not supported"},
    StatusText{Status::license_error, "CUBLAS_STATUS_LICENSE_ERROR",
               "the license could not be checked"},
};

const StatusText* find(Status status) {
  const auto found = std::ranges::find(kTexts, status, &StatusText::status);
  return found == kTexts.end() ? nullptr : &*found;
}

}  // namespace

const char* name_of(Status status) {
  const StatusText* const known = find(status);
  return known == nullptr ? "unknown status" : known->name;
}

const char* text_of(Status status) {
  const StatusText* const known = find(status);
  return known == nullptr ? "unknown status" : known->text;
}

}  // namespace warpsim::cublas

extern "C" {

const char* cublasGetStatusName(warpsim::cublas::Status status) {
  return warpsim::cublas::name_of(status);
}

const char* cublasGetStatusString(warpsim::cublas::Status status) {
  return warpsim::cublas::text_of(status);
}

}  // extern "C"
