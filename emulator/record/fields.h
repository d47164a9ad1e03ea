#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

// WARPGRADE_FIELDS(Type, fields...) follows a structure of data and lists all of its members in
// order; a list that lacks a member does not compile. A field is a member, or
// (member, "meaning", {limits}) in a structure that is part of a document:
//
//   WARPGRADE_FIELDS(Rung, (title, "As students see it.", {.not_empty = true}), ms)
//
// visit_fields(visitor, value) calls visitor(Field, value.member) for each. The JSON that is
// written, the bounded reader, the JSON schemas (record/schema.h) and the evidence cache are made
// from that list.

namespace record {

/// Which floats a field may have.
enum class Floats : unsigned char {
  not_negative,
  finite,
  any,  // also "nan", "inf" and "-inf", for which JSON has no numbers
};

/// The documents that are made from records.
enum class Document : unsigned char {
  any,
  grade,  // grade.json (docs/grade.schema.json)
  run,  // the emulator's report on a run (docs/warpsim.schema.json)
};

/// What a value may be, beyond what the member's type says. Limits of texts and numbers hold for
/// the elements of a list.
struct Limits {
  std::string_view key = {};  // in documents; empty: the member's name
  Document only = Document::any;  // the other documents do not have it
  bool optional = false;  // documents may lack it: earlier versions did not write it
  bool omit = false;  // not written if it is 0, false or empty; an optional one, if it has no value
  /// Of a structure: its fields are written among those of its owner, and documents may lack them
  /// if this one is optional.
  bool flat = false;
  std::size_t from = 0;  // the smallest integer, for those without a sign
  double to = 0;  // the largest number; 0: any
  Floats floats = Floats::not_negative;
  bool not_empty = false;  // a text has at least one character, a list at least one element
  std::size_t longest = 4000;  // bytes of a text that a run may report; the rest is cut off
  std::string_view pattern = {};  // of a text: a regular expression
  std::span<const std::string_view> one_of = {};  // of a text: only these
  std::size_t at_most = 0;  // elements of a list or map; 0: any number
};

struct Field {
  // NOLINTNEXTLINE(google-explicit-constructor): a list may name a member and nothing else
  constexpr Field(std::string_view of_member, std::string_view what = {}, Limits limit = {})
      : member(of_member), meaning(what), limits(limit) {}

  std::string_view member;
  std::string_view meaning;  // one line; empty if the name says it
  Limits limits;

  /// The key in a kind of document; empty if it is not there.
  [[nodiscard]] constexpr std::string_view key(Document in) const {
    if (limits.only != Document::any && limits.only != in) return {};
    return limits.key.empty() ? member : limits.key;
  }
};

template <class T, class Type>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Type>;

/// A structure as one of those that it is derived from, for a visit_fields() written by hand.
template <class Base, class T>
constexpr auto& base(T& value) {
  return static_cast<std::conditional_t<std::is_const_v<T>, const Base, Base>&>(value);
}

struct NoVisitor {
  template <class T>
  void operator()(const Field&, T&) const {}
};

template <class T>
concept HasFields = requires(const NoVisitor& visit, T& value) {
  visit_fields(visit, value);
};

}  // namespace record

// Applies a macro to each argument, at most 64.
#define RECORD_PARENTHESES ()
#define RECORD_EXPAND(...) RECORD_EXPAND_A(RECORD_EXPAND_A(__VA_ARGS__))
#define RECORD_EXPAND_A(...) RECORD_EXPAND_B(RECORD_EXPAND_B(__VA_ARGS__))
#define RECORD_EXPAND_B(...) RECORD_EXPAND_C(RECORD_EXPAND_C(__VA_ARGS__))
#define RECORD_EXPAND_C(...) RECORD_EXPAND_D(RECORD_EXPAND_D(__VA_ARGS__))
#define RECORD_EXPAND_D(...) RECORD_EXPAND_E(RECORD_EXPAND_E(__VA_ARGS__))
#define RECORD_EXPAND_E(...) __VA_ARGS__
#define RECORD_FOR_EACH(macro, ...) \
  __VA_OPT__(RECORD_EXPAND(RECORD_FOR_EACH_STEP(macro, __VA_ARGS__)))
#define RECORD_FOR_EACH_STEP(macro, first, ...) \
  macro(first) __VA_OPT__(RECORD_FOR_EACH_AGAIN RECORD_PARENTHESES(macro, __VA_ARGS__))
#define RECORD_FOR_EACH_AGAIN() RECORD_FOR_EACH_STEP
// The same with commas between the results.
#define RECORD_LIST(macro, ...) __VA_OPT__(RECORD_EXPAND(RECORD_LIST_STEP(macro, __VA_ARGS__)))
#define RECORD_LIST_STEP(macro, first, ...) \
  macro(first) __VA_OPT__(, RECORD_LIST_AGAIN RECORD_PARENTHESES(macro, __VA_ARGS__))
#define RECORD_LIST_AGAIN() RECORD_LIST_STEP

// A field in parentheses, or a member alone.
#define RECORD_FIRST(first, ...) first
#define RECORD_SECOND(first, second, ...) second
#define RECORD_TUPLE(...) , 1
#define RECORD_IS_TUPLE(field) RECORD_IS_TUPLE_OF(RECORD_TUPLE field, 0, 0)
#define RECORD_IS_TUPLE_OF(...) RECORD_SECOND(__VA_ARGS__)
#define RECORD_JOIN(a, b) RECORD_JOINED(a, b)
#define RECORD_JOINED(a, b) a##b
#define RECORD_MEMBER(field) RECORD_JOIN(RECORD_MEMBER_, RECORD_IS_TUPLE(field))(field)
#define RECORD_MEMBER_0(field) field
#define RECORD_MEMBER_1(field) RECORD_FIRST field
#define RECORD_FIELD(field) RECORD_JOIN(RECORD_FIELD_, RECORD_IS_TUPLE(field))(field)
#define RECORD_FIELD_0(field) ::record::Field(#field)
#define RECORD_FIELD_1(field) RECORD_FIELD_OF field
#define RECORD_FIELD_OF(member, ...) ::record::Field(#member __VA_OPT__(, ) __VA_ARGS__)
#define RECORD_VISIT(field)                              \
  {                                                      \
    static constexpr auto kField_ = RECORD_FIELD(field); \
    visitor_(kField_, RECORD_MEMBER(field));             \
  }

#define WARPGRADE_FIELDS(Type, ...)                                         \
  template <class Visitor, ::record::MaybeConst<Type> T>                    \
  void visit_fields(Visitor& visitor_, T& value_) {                         \
    auto& [RECORD_LIST(RECORD_MEMBER, __VA_ARGS__)] = value_;               \
    RECORD_FOR_EACH(RECORD_VISIT, __VA_ARGS__)                              \
  }                                                                         \
  [[maybe_unused]] constexpr std::string_view name_of_record(const Type*) { \
    return #Type;                                                           \
  }
