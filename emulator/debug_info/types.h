#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsim::debug {

/// A C++ type, as far as showing a value needs it.
struct Type {
  enum class Kind : std::uint8_t {
    nothing,  // void
    boolean,
    character,
    integer,
    natural,  // unsigned
    real,
    pointer,
    array,
    structure,
    enumeration,
    bits,  // of unknown type
  };
  struct Member {
    std::string name;
    std::uint64_t offset = 0;
    const Type* type = nullptr;
  };

  Kind kind = Kind::bits;
  std::string name;
  std::uint64_t size = 0;  // bytes
  const Type* target = nullptr;  // of a pointer or an array
  std::uint64_t count = 0;  // elements of an array
  std::vector<Member> members = {};
  std::vector<std::pair<std::string, std::int64_t>> names = {};  // of an enumeration

  [[nodiscard]] bool is_number() const {
    return kind == Kind::boolean || kind == Kind::character || kind == Kind::integer ||
           kind == Kind::natural || kind == Kind::real || kind == Kind::enumeration;
  }
};

/// Owns types; those it returns live as long as it does.
class Types {
 public:
  /// By the name that C++ has for it, as in a demangled name: "float const*". A name that is not
  /// known is a structure without members, of unknown size.
  [[nodiscard]] const Type* named(std::string_view name);
  [[nodiscard]] const Type* pointer_to(const Type* target);
  [[nodiscard]] const Type* array_of(const Type* element, std::uint64_t count);
  /// Unknown bytes, which are shown as a number in hexadecimal.
  [[nodiscard]] const Type* bits(std::uint64_t bytes);
  [[nodiscard]] const Type* integer() { return named("int"); }
  /// dim3 or uint3.
  [[nodiscard]] const Type* triple();
  Type& add(Type type);

 private:
  std::deque<Type> all_;
  std::map<std::string, const Type*, std::less<>> by_name_;
};

/// The types of a function's parameters, from its demangled name.
[[nodiscard]] std::vector<std::string> parameter_types(std::string_view demangled);

}  // namespace warpsim::debug
