#include "emulator/remote/marshal.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpsim::remote {
namespace {

std::vector<std::uint32_t> no_sizes(const void*) {
  return {};
}

/// A call as the client writes it and the device does it. @returns the result's bytes
template <class... P>
std::vector<std::byte> done(cudaError_t (*function)(P...), const std::tuple<P...>& arguments) {
  Writer out;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (write_argument<I>(out, arguments, no_sizes), ...);
  }
  (std::index_sequence_for<P...>{});
  Reader in(out.data());
  Writer result;
  serve(function, in, result, no_sizes);
  CHECK(in.left() == 0);
  return {result.data().begin(), result.data().end()};
}

cudaError_t set_size(void** pointer, std::size_t size) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = reinterpret_cast<void*>(size + 1);
  return cudaSuccess;
}

TEST_CASE("what a function stores comes back", "[remote][marshal]") {
  void* pointer = nullptr;
  const std::tuple<void**, std::size_t> arguments(&pointer, 41);
  const auto bytes = done(set_size, arguments);
  Reader in(bytes);
  CHECK(in.value<cudaError_t>() == cudaSuccess);
  Arena kept;
  read_back<0>(in, arguments, 0, kept);
  CHECK(reinterpret_cast<std::uintptr_t>(pointer) == 42);
}

TEST_CASE("a null pointer crosses as one", "[remote][marshal]") {
  const auto bytes = done(set_size, std::tuple<void**, std::size_t>(nullptr, 1));
  CHECK(Reader(bytes).value<cudaError_t>() == cudaErrorInvalidValue);
}

std::string seen_text;
std::vector<cudaGraphNode_t> seen_list;
cudaError_t take(const char* text, const cudaGraphNode_t* list, std::size_t count) {
  seen_text = text == nullptr ? "null" : text;
  seen_list.assign(list, list + count);
  return cudaSuccess;
}

TEST_CASE("texts and lists cross whole", "[remote][marshal]") {
  const auto node = [](std::uintptr_t n) { return reinterpret_cast<cudaGraphNode_t>(n); };
  const cudaGraphNode_t list[] = {node(8), node(16), node(24)};
  done(take, std::tuple<const char*, const cudaGraphNode_t*, std::size_t>("two words", list, 3));
  CHECK(seen_text == "two words");
  CHECK(seen_list == std::vector(list, list + 3));
}

TEST_CASE("a list that is not as long as the call says is refused", "[remote][marshal]") {
  Writer out;
  out.value(std::uint8_t{0});  // no text
  out.value(std::uint8_t{1});
  out.value(std::uint64_t{1});
  out.value(std::uint64_t{8});  // the one node
  out.value(std::size_t{1000});
  Reader in(out.data());
  Writer result;
  CHECK_THROWS_AS(serve(take, in, result, no_sizes), ProtocolError);
}

TEST_CASE("a message that ends too early is refused", "[remote][marshal]") {
  Writer out;
  out.value(std::uint8_t{1});
  out.value(std::uint32_t{1000});  // bytes of text, of which there are none
  Reader in(out.data());
  Writer result;
  CHECK_THROWS_AS(serve(take, in, result, no_sizes), ProtocolError);
}

}  // namespace
}  // namespace warpsim::remote
