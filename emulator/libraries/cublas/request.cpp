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

void set_use(LibraryArgument& argument, Use use) {
  argument.read = use == Use::read || use == Use::update;
  argument.written = use == Use::write || use == Use::update;
  if (use == Use::none) argument.box.width = 0;
}

/// The rows of a column that are used, from the first to before the last.
std::pair<std::int64_t, std::int64_t> rows_of(const MatrixShape& shape, std::int64_t column) {
  using Part = MatrixShape::Part;
  const std::int64_t left_out = shape.has_diagonal ? 0 : 1;
  switch (shape.part) {
    case Part::upper:
      return {0, std::min(shape.rows, column + 1 - left_out)};
    case Part::lower:
      return {column + left_out, shape.rows};
    case Part::band: {
      // The main diagonal is the last row of an upper triangle, and the first of a lower one.
      const bool is_upper = shape.above > 0;
      return {
          std::max(shape.above - column, is_upper ? 0 : left_out),
          std::min(shape.rows - (is_upper ? left_out : 0), shape.band_rows + shape.above - column)};
    }
    case Part::all:
      break;
  }
  return {0, shape.rows};
}

LibraryArgument::Pieces pieces_of(const MatrixShape& shape, std::size_t element_bytes) {
  return [=](const auto& piece) {
    for (std::int64_t column = 0; column < shape.columns; ++column) {
      const auto [first, last] = rows_of(shape, column);
      if (first < last) {
        piece(unsigned_of(column * shape.leading + first) * element_bytes,
              unsigned_of(last - first) * element_bytes);
      }
    }
  };
}

/// OpenBLAS on one thread while this lives: sums do not depend on the number of processors, and
/// the program gets no threads. The setting is the process's, which may use OpenBLAS itself.
class OneThread {
 public:
  OneThread() : before_(::openblas_get_num_threads()) {
    if (before_ != 1) ::openblas_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ != 1) ::openblas_set_num_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  const int before_;
};

}  // namespace

LibraryArgument vector_of(std::string name, const void* pointer, std::size_t element_bytes,
                          std::int64_t elements, std::int64_t increment, Use use) {
  const std::int64_t step = std::abs(increment);
  LibraryArgument argument;
  argument.name = std::move(name);
  argument.shape = fmt::format("{} element{}", elements, elements == 1 ? "" : "s");
  if (increment != 1) argument.shape += fmt::format(" with increment {}", increment);
  argument.alignment = element_bytes;
  argument.side.address = reinterpret_cast<std::uint64_t>(pointer);
  if (step == 1) {
    argument.box = {.width = unsigned_of(elements) * element_bytes};
  } else {
    argument.side.row_pitch = unsigned_of(step) * element_bytes;
    argument.box = {.width = element_bytes, .height = step == 0 ? 1 : unsigned_of(elements)};
  }
  set_use(argument, use);
  return argument;
}

LibraryArgument matrix_of(std::string name, const void* pointer, std::size_t element_bytes,
                          const MatrixShape& shape, Use use) {
  LibraryArgument argument;
  std::string lower = name.substr(0, 1);
  lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  argument.shape =
      fmt::format("{} x {} with ld{} {}", shape.rows, shape.columns, lower, shape.leading);
  if (shape.batch > 1)
    argument.shape += fmt::format(", {} times, {} apart", shape.batch, shape.stride);
  argument.name = std::move(name);
  argument.alignment = element_bytes;
  argument.side = {.address = reinterpret_cast<std::uint64_t>(pointer),
                   .row_pitch = unsigned_of(shape.leading) * element_bytes,
                   .slice_pitch = unsigned_of(shape.stride) * element_bytes};
  argument.box = {.width = unsigned_of(shape.rows) * element_bytes,
                  .height = unsigned_of(shape.columns),
                  .depth = unsigned_of(shape.batch)};
  if (shape.part != MatrixShape::Part::all) argument.pieces = pieces_of(shape, element_bytes);
  set_use(argument, use);
  return argument;
}

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

Request::Request(const Caller& caller, const Handle* handle)
    : caller_(caller), handle_(handle), runtime_(libraries::runtime()) {
  call_.name = caller.name;
  call_.return_address = caller.return_address;
  if (!is_live(handle)) {
    refuse(handle == nullptr ? "the handle is null" : "the handle is not one that is in use",
           "a handle of cublasCreate, before cublasDestroy", Status::not_initialized);
  } else {
    call_.stream = handle->stream;
  }
}

void Request::refuse(const std::string& got, const std::string& want, Status status) {
  if (!valid()) return;
  status_ = status;
  if (runtime_ == nullptr) return;
  runtime_->refuse(caller_.name, caller_.return_address,
                   {.got = got,
                    .want = want,
                    .status = name_of(status),
                    .by_emulator = status == Status::not_supported});
}

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

Request& Request::pointer(std::string_view name, const void* value) {
  if (value == nullptr) refuse(fmt::format("{} is a null pointer", name), "its address");
  return *this;
}

int Request::parameter(LibraryArgument argument) {
  call_.parameters.push_back(std::move(argument));
  return static_cast<int>(call_.parameters.size()) - 1;
}

Status Request::start() {
  if (runtime_ == nullptr) return Status::not_initialized;
  call_.run = [work = std::move(call_.run)](const Arguments& parameters,
                                            const Arguments& arguments) {
    const OneThread here;
    work(parameters, arguments);
  };
  const cudaError_t error = runtime_->run(std::move(call_));
  return error == cudaSuccess ? Status::success : Status::execution_failed;
}

}  // namespace warpsim::cublas
