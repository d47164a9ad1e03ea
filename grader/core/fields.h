#pragma once

#include <concepts>
#include <type_traits>

// WARPGRADE_FIELDS(Type, members...) follows a structure of data and lists all of its members in
// order; a list that lacks a member does not compile. visit_fields(visitor, value) calls
// visitor("member", value.member) for each. The JSON of grades, its schema test and the evidence
// cache are all made from that list.

namespace warpgrade {

template <class T, class Type>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Type>;

struct NoVisitor {
  template <class T>
  void operator()(const char*, T&) const {}
};

template <class T>
concept HasFields = requires(const NoVisitor& visit, T& value) {
  visit_fields(visit, value);
};

}  // namespace warpgrade

// Applies a macro to each argument, at most 64.
#define WARPGRADE_PARENTHESES ()
#define WARPGRADE_EXPAND(...) WARPGRADE_EXPAND_A(WARPGRADE_EXPAND_A(__VA_ARGS__))
#define WARPGRADE_EXPAND_A(...) WARPGRADE_EXPAND_B(WARPGRADE_EXPAND_B(__VA_ARGS__))
#define WARPGRADE_EXPAND_B(...) WARPGRADE_EXPAND_C(WARPGRADE_EXPAND_C(__VA_ARGS__))
#define WARPGRADE_EXPAND_C(...) WARPGRADE_EXPAND_D(WARPGRADE_EXPAND_D(__VA_ARGS__))
#define WARPGRADE_EXPAND_D(...) WARPGRADE_EXPAND_E(WARPGRADE_EXPAND_E(__VA_ARGS__))
#define WARPGRADE_EXPAND_E(...) __VA_ARGS__
#define WARPGRADE_FOR_EACH(macro, ...) \
  __VA_OPT__(WARPGRADE_EXPAND(WARPGRADE_FOR_EACH_STEP(macro, __VA_ARGS__)))
#define WARPGRADE_FOR_EACH_STEP(macro, first, ...) \
  macro(first) __VA_OPT__(WARPGRADE_FOR_EACH_AGAIN WARPGRADE_PARENTHESES(macro, __VA_ARGS__))
#define WARPGRADE_FOR_EACH_AGAIN() WARPGRADE_FOR_EACH_STEP

#define WARPGRADE_VISIT(member) visitor_(#member, member);
#define WARPGRADE_FIELDS(Type, ...)                         \
  template <class Visitor, ::warpgrade::MaybeConst<Type> T> \
  void visit_fields(Visitor& visitor_, T& value_) {         \
    auto& [__VA_ARGS__] = value_;                           \
    WARPGRADE_FOR_EACH(WARPGRADE_VISIT, __VA_ARGS__)        \
  }
