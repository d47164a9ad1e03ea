#include "emulator/libraries/cusparse/request.h"

namespace warpsim::cusparse {
namespace {

Handle handle_of(const Handle* handle) {
  return registry<Handle>().has(handle) ? *handle : Handle{};
}

}  // namespace

Request::Request(const Caller& caller, const Handle* handle)
    : BasicRequest(caller, handle_of(handle).stream, handle_of(handle).pointer_mode) {
  if (registry<Handle>().has(handle)) return;
  refuse(handle == nullptr ? "the handle is null" : "the handle is not one that is in use",
         "a handle of cusparseCreate, before cusparseDestroy");
}

Request& Request::operation(std::string_view name, Operation value, DataType type) {
  const int number = static_cast<int>(value);
  if (number < 0 || number > 2) {
    refuse(fmt::format("{} is {}", name, number), "0 to 2: a value of cusparseOperation_t");
  }
  if (value == Operation::conjugate_transpose && !libraries::is_complex(type)) {
    refuse(fmt::format("{} is CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, and its numbers are {}", name,
                       libraries::in_words(type)),
           "CUSPARSE_OPERATION_TRANSPOSE for real numbers");
  }
  return *this;
}

Request& Request::size(std::string_view name, std::int64_t value) {
  if (value < 0) refuse(fmt::format("{} is {}", name, value), "at least 0");
  return *this;
}

Request& Request::equal(std::string_view first_name, std::int64_t first,
                        std::string_view second_name, std::int64_t second) {
  if (first != second) {
    refuse(fmt::format("{} is {}, and {} is {}", first_name, first, second_name, second),
           "equal sizes");
  }
  return *this;
}

void Request::refuse_types(const std::string& types) {
  refuse(types, "types that docs/libraries.md lists", Status::not_supported);
}

Status Request::gives_size(std::size_t* place, std::size_t bytes) {
  pointer("bufferSize", place);
  if (valid()) *place = bytes;
  return status();
}

void Request::buffer(const void* memory, std::size_t bytes) {
  if (memory == nullptr && bytes > 0) {
    refuse("externalBuffer is a null pointer",
           fmt::format("device memory of {} bytes, the size that the call before gave", bytes));
  }
}

LibraryArgument buffer_of(const void* memory, std::size_t bytes, Use use) {
  LibraryArgument made =
      vector_of("externalBuffer", memory, 1, static_cast<std::int64_t>(bytes), 1, use);
  made.shape = fmt::format("{} bytes", bytes);
  return made;
}

}  // namespace warpsim::cusparse
