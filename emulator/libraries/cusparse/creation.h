#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/libraries/cusparse/request.h"

// Checks of the functions that create, read and change descriptors. They have no handle, and no
// stream.

namespace warpsim::cusparse {

/// Reports the first argument that is refused.
class Creation : public libraries::BasicRequest<Status> {
 public:
  explicit Creation(const Caller& caller) : BasicRequest(caller, nullptr, PointerMode::host) {}

  Creation& size(std::string_view name, std::int64_t value) {
    if (value < 0) refuse(fmt::format("{} is {}", name, value), "at least 0");
    return *this;
  }
  Creation& at_most(std::string_view name, std::int64_t value, std::string_view bound_name,
                    std::int64_t bound) {
    if (value > bound) {
      refuse(fmt::format("{} is {}", name, value),
             fmt::format("at most {}, {}", bound, bound_name));
    }
    return *this;
  }
  Creation& base(IndexBase value) {
    if (value != IndexBase::zero && value != IndexBase::one) {
      refuse(fmt::format("idxBase is {}", static_cast<int>(value)),
             "CUSPARSE_INDEX_BASE_ZERO or CUSPARSE_INDEX_BASE_ONE");
    }
    return *this;
  }
  Creation& index(std::string_view name, IndexType value) {
    if (value == IndexType::u16) {
      refuse(fmt::format("{} is CUSPARSE_INDEX_16U", name), "32 or 64 bits", Status::not_supported);
    } else if (value != IndexType::i32 && value != IndexType::i64) {
      refuse(fmt::format("{} is {}", name, static_cast<int>(value)),
             "CUSPARSE_INDEX_32I or CUSPARSE_INDEX_64I");
    }
    return *this;
  }
  Creation& type(DataType value) {
    if (!libraries::is_known(value)) {
      refuse(fmt::format("valueType is {}", libraries::in_words(value)),
             "a type that docs/libraries.md lists", Status::not_supported);
    }
    return *this;
  }
  Creation& order(Order value) {
    if (value != Order::row && value != Order::column) {
      refuse(fmt::format("order is {}", static_cast<int>(value)),
             "CUSPARSE_ORDER_COL or CUSPARSE_ORDER_ROW");
    }
    return *this;
  }
  template <class Descriptor>
  Creation& live(std::string_view name, const Descriptor* value) {
    if (!registry<Descriptor>().has(value)) {
      refuse(fmt::format("{} is {}", name,
                         value == nullptr ? "a null pointer" : "not a descriptor that is in use"),
             "a descriptor, after its creation and before its destruction");
    }
    return *this;
  }

  /// Creates the descriptor, unless an argument was refused.
  template <class Descriptor>
  Status make(std::string_view name, Descriptor** place, const Descriptor& descriptor) {
    pointer(name, place);
    if (valid()) *place = registry<Descriptor>().add(descriptor);
    return status();
  }
};

template <class Descriptor>
Status destroy(const Caller& caller, const Descriptor* descriptor) {
  // As with cuSPARSE, a null pointer is not one that was destroyed before.
  if (registry<Descriptor>().remove(descriptor)) return Status::success;
  Creation creation(caller);
  creation.live("the descriptor", descriptor);
  return creation.status();
}

/// Calls `change` with a live descriptor.
template <class Descriptor, class Change>
Status with(const Caller& caller, Descriptor* descriptor, Change change) {
  Creation creation(caller);
  creation.live("the descriptor", descriptor);
  if (creation.valid()) change(*descriptor);
  return creation.status();
}

/// Writes a result, unless the program does not want it.
template <class To, class From>
void give(To* place, const From& value) {
  if (place != nullptr) *place = static_cast<To>(value);
}

}  // namespace warpsim::cusparse
