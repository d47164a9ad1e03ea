#include "emulator/libraries/cusparse/status.h"

#include <array>
#include <cstddef>

namespace warpsim::cusparse {
namespace {

struct StatusText {
  const char* name;
  const char* text;
};

/// By number.
constexpr std::array kStatusTexts = {
    StatusText{"CUSPARSE_STATUS_SUCCESS", "success"},
    StatusText{"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    StatusText{"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    StatusText{"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    StatusText{"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    StatusText{"CUSPARSE_STATUS_MAPPING_ERROR", "texture memory mapping error"},
    StatusText{"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    StatusText{"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    StatusText{"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    StatusText{"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    StatusText{"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    StatusText{"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};

StatusText text_of(Status status) {
  const auto number = static_cast<std::size_t>(static_cast<int>(status));
  if (number < kStatusTexts.size()) return kStatusTexts[number];
  return {"unrecognized error code", "unrecognized error code"};
}

}  // namespace

const char* name_of(Status status) {
  return text_of(status).name;
}

}  // namespace warpsim::cusparse

extern "C" {

const char* cusparseGetErrorName(warpsim::cusparse::Status status) {
  return warpsim::cusparse::text_of(status).name;
}

const char* cusparseGetErrorString(warpsim::cusparse::Status status) {
  return warpsim::cusparse::text_of(status).text;
}

}  // extern "C"
