#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator/remote/message.h"
#include "emulator/remote/protocol.h"

// Marshals a function's arguments by their types, in both directions: numbers, handles and
// addresses are copied; `const T*` is a T that the device reads, `T*` one that it may change; lists
// of nodes have their length in the next `size_t`.

namespace warpsim::remote {

// -- what a parameter is --------------------------------------------------------------------------

template <class T, class = void>
struct IsComplete : std::false_type {};
template <class T>
struct IsComplete<T, std::void_t<decltype(sizeof(T))>> : std::true_type {};

/// A pointer whose target is sent with the call.
template <class P>
constexpr bool has_target() {
  if constexpr (!std::is_pointer_v<P>) {
    return false;
  } else {
    using T = std::remove_pointer_t<P>;
    if constexpr (std::is_void_v<T> || std::is_function_v<T>) {
      return false;
    } else {
      return IsComplete<T>::value;
    }
  }
}

template <class T>
constexpr bool kIsListed =
    std::is_same_v<T, cudaGraphNode_t> || std::is_same_v<T, cudaGraphEdgeData> ||
    std::is_same_v<T, cudaMemAccessDesc>;

enum class Form : std::uint8_t { value, text, target, list };

/// The first parameter behind `from` of a type; `none` when there is none.
constexpr std::size_t kNone = ~std::size_t{0};
template <class Wanted, class... P>
constexpr std::size_t next_of(std::size_t from) {
  constexpr std::array<bool, sizeof...(P)> fits = {std::is_same_v<P, Wanted>...};
  for (std::size_t i = from + 1; i < fits.size(); ++i) {
    if (fits[i]) return i;
  }
  return kNone;
}

template <std::size_t I, class... P>
struct Parameter {
  using Type = std::tuple_element_t<I, std::tuple<P...>>;
  using Target = std::remove_const_t<std::remove_pointer_t<Type>>;
  static constexpr bool kIsIn = std::is_const_v<std::remove_pointer_t<Type>>;
  /// The position of a list's length: a number for a list that is read, otherwise a pointer to a
  /// number.
  static constexpr std::size_t kLength =
      kIsIn ? next_of<std::size_t, P...>(I) : next_of<std::size_t*, P...>(I);
  static constexpr Form form() {
    if constexpr (std::is_same_v<Type, const char*>) {
      return Form::text;
    } else if constexpr (!has_target<Type>()) {
      return Form::value;
    } else {
      return kIsListed<Target> && kLength != kNone ? Form::list : Form::target;
    }
  }
};

// -- values with pointers in them -----------------------------------------------------------------

/// Memory for the pointers in the arguments of one call.
class Arena {
 public:
  std::byte* take(std::span<const std::byte> bytes) {
    blocks_.push_back(std::make_unique<std::byte[]>(bytes.size() + 1));
    std::copy(bytes.begin(), bytes.end(), blocks_.back().get());
    return blocks_.back().get();
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// The sizes of a kernel's parameters; empty if it is not a kernel.
using ParameterSizes = std::vector<std::uint32_t> (*)(const void* function);

/// A kernel's arguments: each with its size.
inline void write_arguments(Writer& out, void* const* arguments,
                            const std::vector<std::uint32_t>& sizes) {
  out.value(static_cast<std::uint8_t>(arguments != nullptr));
  if (arguments == nullptr) return;
  out.value(static_cast<std::uint32_t>(sizes.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out.value(sizes[i]);
    out.bytes({static_cast<const std::byte*>(arguments[i]), sizes[i]});
  }
}
/// @returns null when there were none
inline void** read_arguments(Reader& in, Arena& arena) {
  if (in.value<std::uint8_t>() == 0) return nullptr;
  const auto count = in.value<std::uint32_t>();
  if (count > kMostList) throw ProtocolError("sent a kernel with too many parameters");
  std::vector<void*> pointers;
  for (std::uint32_t i = 0; i < count; ++i) {
    pointers.push_back(arena.take(in.bytes(in.value<std::uint32_t>())));
  }
  pointers.push_back(nullptr);
  return reinterpret_cast<void**>(arena.take(std::as_bytes(std::span(pointers))));
}

/// The direction of a value: some members are only meaningful in one.
enum class Way : std::uint8_t { to_device, to_program };

/// Marshals the parts of a value outside its bytes. Most types have none.
template <class T>
struct Extra {
  static void write(Writer&, const T&, ParameterSizes, Way) {}
  static void read(Reader&, T&, Arena&) {}
};

/// A list that a member points to. `count` is checked before the list is read.
template <class T>
void write_list(Writer& out, const T* list, std::size_t count) {
  const std::uint64_t length = list == nullptr ? 0 : count;
  out.value(length);
  out.bytes(std::as_bytes(std::span(list, length)));
}
template <class T>
T* read_list(Reader& in, std::size_t count, Arena& arena) {
  const auto length = in.value<std::uint64_t>();
  if (length == 0) return nullptr;
  if (length != count || length > kMostList) throw ProtocolError("sent a list of another length");
  return reinterpret_cast<T*>(arena.take(in.bytes(length * sizeof(T))));
}

template <>
struct Extra<cudaMemAllocNodeParams> {
  static void write(Writer& out, const cudaMemAllocNodeParams& p, ParameterSizes, Way) {
    write_list(out, p.accessDescs, p.accessDescCount);
  }
  static void read(Reader& in, cudaMemAllocNodeParams& p, Arena& arena) {
    p.accessDescs = read_list<cudaMemAccessDesc>(in, p.accessDescCount, arena);
    if (p.accessDescs == nullptr) p.accessDescCount = 0;
  }
};

template <>
struct Extra<cudaKernelNodeParams> {
  static void write(Writer& out, const cudaKernelNodeParams& p, ParameterSizes sizes, Way) {
    write_arguments(out, p.kernelParams, sizes(p.func));
  }
  static void read(Reader& in, cudaKernelNodeParams& p, Arena& arena) {
    p.kernelParams = read_arguments(in, arena);
  }
};

template <>
struct Extra<cudaGraphNodeParams> {
  static void write(Writer& out, const cudaGraphNodeParams& p, ParameterSizes sizes, Way way) {
    if (p.type == cudaGraphNodeTypeKernel) {
      write_arguments(out, p.kernel.kernelParams, sizes(p.kernel.func));
    } else if (p.type == cudaGraphNodeTypeMemAlloc) {
      write_list(out, p.alloc.accessDescs, p.alloc.accessDescCount);
    } else if (p.type == cudaGraphNodeTypeConditional) {
      // The device returns the bodies; the program's values are meaningless.
      write_list(out, way == Way::to_program ? p.conditional.phGraph_out : nullptr,
                 p.conditional.size);
    }
  }
  static void read(Reader& in, cudaGraphNodeParams& p, Arena& arena) {
    if (p.type == cudaGraphNodeTypeKernel) {
      p.kernel.kernelParams = read_arguments(in, arena);
    } else if (p.type == cudaGraphNodeTypeMemAlloc) {
      p.alloc.accessDescs = read_list<cudaMemAccessDesc>(in, p.alloc.accessDescCount, arena);
      if (p.alloc.accessDescs == nullptr) p.alloc.accessDescCount = 0;
    } else if (p.type == cudaGraphNodeTypeConditional) {
      p.conditional.phGraph_out = read_list<cudaGraph_t>(in, p.conditional.size, arena);
    }
  }
};

template <>
struct Extra<cudaLaunchConfig_t> {
  static void write(Writer& out, const cudaLaunchConfig_t& p, ParameterSizes, Way) {
    if (p.attrs != nullptr) out.bytes(std::as_bytes(std::span(p.attrs, p.numAttrs)));
  }
  static void read(Reader& in, cudaLaunchConfig_t& p, Arena& arena) {
    if (p.numAttrs > kMostList) throw ProtocolError("sent a launch with too many attributes");
    if (p.attrs == nullptr) return;  // refused where there should be some
    p.attrs = reinterpret_cast<cudaLaunchAttribute*>(
        arena.take(in.bytes(p.numAttrs * sizeof(cudaLaunchAttribute))));
  }
};

// -- a call ---------------------------------------------------------------------------------------

/// The length or capacity of a list.
template <std::size_t I, class... P>
std::size_t list_length(const std::tuple<P...>& arguments) {
  const auto length = std::get<Parameter<I, P...>::kLength>(arguments);
  if constexpr (std::is_pointer_v<decltype(length)>) {
    return length == nullptr ? 0 : *length;
  } else {
    return length;
  }
}

template <std::size_t I, class... P>
void write_argument(Writer& out, const std::tuple<P...>& arguments, ParameterSizes sizes) {
  using Here = Parameter<I, P...>;
  const auto& argument = std::get<I>(arguments);
  if constexpr (Here::form() == Form::value) {
    out.value(argument);
  } else {
    out.value(static_cast<std::uint8_t>(argument != nullptr));
    if (argument == nullptr) return;
    if constexpr (Here::form() == Form::text) {
      out.text(argument);
    } else if constexpr (Here::form() == Form::target) {
      out.value(*argument);
      Extra<typename Here::Target>::write(out, *argument, sizes, Way::to_device);
    } else {
      const std::uint64_t count = list_length<I>(arguments);
      out.value(count);
      if (Here::kIsIn) out.bytes(std::as_bytes(std::span(argument, count)));
    }
  }
}

/// Storage for a value of a type that may have no default constructor.
template <class T>
class Room {
 public:
  [[nodiscard]] T& get() { return *reinterpret_cast<T*>(bytes_.data()); }
  [[nodiscard]] const T& get() const { return *reinterpret_cast<const T*>(bytes_.data()); }

 private:
  alignas(T) std::array<std::byte, sizeof(T)> bytes_{};
};

/// The device's storage for a parameter's target.
template <std::size_t I, class... P>
struct Slot {
  using Here = Parameter<I, P...>;
  static constexpr Form kForm = Here::form();
  using Store = std::conditional_t<
      kForm == Form::value, typename Here::Type,
      std::conditional_t<kForm == Form::text, std::string,
                         std::conditional_t<kForm == Form::list, std::vector<std::byte>,
                                            Room<typename Here::Target>>>>;
  bool present = true;
  Store store{};

  void read(Reader& in, Arena& arena) {
    if constexpr (kForm == Form::value) {
      store = in.value<Store>();
    } else {
      present = in.value<std::uint8_t>() != 0;
      if (!present) return;
      if constexpr (kForm == Form::text) {
        store = in.text();
      } else if constexpr (kForm == Form::target) {
        std::memcpy(&store.get(), in.bytes(sizeof store.get()).data(), sizeof store.get());
        Extra<typename Here::Target>::read(in, store.get(), arena);
      } else {
        const auto count = in.value<std::uint64_t>();
        if (count > kMostList) throw ProtocolError("sent a list that is too long");
        const std::size_t bytes = count * sizeof(typename Here::Target);
        store.resize(bytes);
        if (Here::kIsIn) {
          const auto given = in.bytes(bytes);
          std::copy(given.begin(), given.end(), store.begin());
        }
      }
    }
  }
  auto pointer() -> typename Here::Type {
    if constexpr (kForm == Form::value) {
      return store;
    } else if constexpr (kForm == Form::text) {
      return present ? store.c_str() : nullptr;
    } else if constexpr (kForm == Form::target) {
      return present ? &store.get() : nullptr;
    } else {
      return present ? reinterpret_cast<typename Here::Type>(store.data()) : nullptr;
    }
  }
  /// Writes the values that the device has changed.
  void write_back(Writer& out, ParameterSizes sizes) const {
    if constexpr (kForm == Form::target && !Here::kIsIn) {
      if (!present) return;
      out.value(store.get());
      Extra<typename Here::Target>::write(out, store.get(), sizes, Way::to_program);
    } else if constexpr (kForm == Form::list && !Here::kIsIn) {
      if (present) out.bytes(store);
    }
  }
};

/// Checks lists whose length is a separate argument.
template <std::size_t I, class Slots, class... P>
void check_length(const std::tuple<P...>& arguments, const Slots& slots) {
  if constexpr (Parameter<I, P...>::form() == Form::list) {
    const auto& slot = std::get<I>(slots);
    if (slot.present && slot.store.size() != list_length<I>(arguments) *
                                                 sizeof(typename Parameter<I, P...>::Target)) {
      throw ProtocolError("sent a list that is not as long as the call says");
    }
  }
}

/// Executes a call on the device's side.
template <class... P>
void serve(cudaError_t (*function)(P...), Reader& in, Writer& out, ParameterSizes sizes) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    Arena arena;
    std::tuple<Slot<I, P...>...> slots;
    (std::get<I>(slots).read(in, arena), ...);
    const std::tuple<P...> arguments(std::get<I>(slots).pointer()...);
    (check_length<I>(arguments, slots), ...);
    out.value(std::apply(function, arguments));
    (std::get<I>(slots).write_back(out, sizes), ...);
  }
  (std::index_sequence_for<P...>{});
}

/// Stores returned values where they differ, so that the caller's constants are not written.
inline void store_back(void* to, std::span<const std::byte> bytes) {
  if (std::memcmp(to, bytes.data(), bytes.size()) != 0) {
    std::memcpy(to, bytes.data(), bytes.size());
  }
}

template <std::size_t I, class... P>
void read_back(Reader& in, const std::tuple<P...>& arguments, std::size_t capacity, Arena& kept) {
  using Here = Parameter<I, P...>;
  if constexpr (Here::form() == Form::target && !Here::kIsIn) {
    const auto argument = std::get<I>(arguments);
    if (argument == nullptr) return;
    auto value = in.value<typename Here::Target>();
    Extra<typename Here::Target>::read(in, value, kept);
    store_back(argument, std::as_bytes(std::span(&value, 1)));
  } else if constexpr (Here::form() == Form::list && !Here::kIsIn) {
    const auto argument = std::get<I>(arguments);
    if (argument != nullptr) {
      store_back(argument, in.bytes(capacity * sizeof(typename Here::Target)));
    }
  }
}

/// The capacity of a returned list at the time of the call; 0 if there is none.
template <std::size_t I, class... P>
std::size_t capacity_of(const std::tuple<P...>& arguments) {
  if constexpr (Parameter<I, P...>::form() == Form::list && !Parameter<I, P...>::kIsIn) {
    return list_length<I>(arguments);
  } else {
    return 0;
  }
}

}  // namespace warpsim::remote
