#include "emulator/libraries/cublas/request.h"

#include <cblas.h>

#include <algorithm>
#include <cstdlib>

#include "emulator/libraries/cublas/status.h"

namespace warpsim::cublas {
namespace {

std::uint64_t unsigned_of(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

}  // namespace

LibraryArgument packed_of(std::string name, const void* pointer, std::size_t element_bytes,
                          std::int64_t n, Fill fill, bool has_diagonal, Use use) {
  LibraryArgument argument =
      vector_of(std::move(name), pointer, element_bytes, n * (n + 1) / 2, 1, use);
  argument.shape = fmt::format("packed triangle of order {}", n);
  if (has_diagonal) return argument;
  argument.pieces = [=](const auto& piece) {
    std::int64_t at = 0;
    for (std::int64_t column = 0; column < n; ++column) {
      const std::int64_t length = fill == Fill::upper ? column + 1 : n - column;
      const std::int64_t first = fill == Fill::upper ? at : at + 1;  // past the diagonal
      piece(unsigned_of(first) * element_bytes, unsigned_of(length - 1) * element_bytes);
      at += length;
    }
  };
  return argument;
}

OneThread::OneThread() : before_(::openblas_get_num_threads()) {
  if (before_ != 1) ::openblas_set_num_threads(1);
}

OneThread::~OneThread() {
  if (before_ != 1) ::openblas_set_num_threads(before_);
}

Request::Request(const Caller& caller, const Handle* handle)
    : Request(caller, is_live(handle) ? handle->stream : nullptr,
              is_live(handle) ? handle->pointer_mode : PointerMode::host) {
  if (!is_live(handle)) {
    refuse(handle == nullptr ? "the handle is null" : "the handle is not one that is in use",
           "a handle of cublasCreate, before cublasDestroy", Status::not_initialized);
  }
}

Request::Request(const Caller& caller, cudaStream_t stream, PointerMode mode)
    : BasicRequest(caller, stream, mode) {}

/// OpenBLAS counts with int.
void Request::fits(std::string_view name, std::int64_t value) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  if (value > kMost || value < -kMost) {
    refuse(fmt::format("{} is {}", name, value), fmt::format("at most {} in size", kMost),
           Status::not_supported);
  }
}

Request& Request::size(std::string_view name, std::int64_t value) {
  if (value < 0) refuse(fmt::format("{} is {}", name, value), "at least 0");
  fits(name, value);
  return *this;
}

Request& Request::leading(std::string_view name, std::int64_t value, std::int64_t rows) {
  if (value < std::max<std::int64_t>(rows, 1)) {
    const std::string matrix(1, static_cast<char>(name.back() - 'a' + 'A'));
    refuse(fmt::format("{} is {}", name, value),
           rows < 1 ? "at least 1"
                    : fmt::format("at least {}, the number of rows of {} as it is stored", rows,
                                  matrix));
  }
  fits(name, value);
  return *this;
}

Request& Request::increment(std::string_view name, std::int64_t value) {
  if (value == 0) refuse(fmt::format("{} is 0", name), "another number");
  fits(name, value);
  return *this;
}

Request& Request::stride(std::string_view name, std::int64_t value) {
  if (value < 0) {
    refuse(fmt::format("{} is {}", name, value), "at least 0", Status::not_supported);
  }
  return *this;
}

}  // namespace warpsim::cublas
