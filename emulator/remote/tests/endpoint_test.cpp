#include "emulator/remote/endpoint.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <thread>

namespace warpsim::remote {
namespace {

/// A channel with both of its sides in this process.
struct Pair {
  Pair() : memory(make_shared_file("test", sizeof(Channel))) {
    channel = static_cast<Channel*>(
        ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0));
  }
  ~Pair() {
    ::munmap(channel, sizeof(Channel));
    ::close(memory);
  }
  int memory;
  Channel* channel;
};

constexpr auto kNever = [] { return false; };

std::vector<std::byte> bytes(std::size_t count, int value) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

TEST_CASE("messages take turns on a channel", "[remote][endpoint]") {
  Pair pair;
  Endpoint client(*pair.channel, Turn::client, kNever);
  std::thread device([&] {
    Endpoint own(*pair.channel, Turn::device, kNever);
    Message message;
    for (int i = 0; i < 1000 && own.receive(message); ++i) {
      own.send(Kind::result, message.number + 1, message.bytes);
    }
  });
  Message answer;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    REQUIRE(client.send(Kind::call, i, bytes(i, 7)));
    REQUIRE(client.receive(answer));
    REQUIRE(answer.kind == Kind::result);
    REQUIRE(answer.number == i + 1);
    REQUIRE(answer.bytes.size() == i);
  }
  device.join();
}

TEST_CASE("a message that is too long is not sent", "[remote][endpoint]") {
  Pair pair;
  Endpoint client(*pair.channel, Turn::client, kNever);
  CHECK_FALSE(client.send(Kind::call, 1, bytes(kMessageBytes + 1, 1)));
  CHECK(client.send(Kind::call, 1, bytes(kMessageBytes, 1)));
}

TEST_CASE("a length that lies reads no further than the channel", "[remote][endpoint]") {
  Pair pair;
  Endpoint device(*pair.channel, Turn::device, kNever);
  pair.channel->bytes = 0xffffffff;
  pair.channel->turn = Turn::device;
  Message message;
  REQUIRE(device.receive(message));
  CHECK(message.bytes.size() == kMessageBytes);
}

TEST_CASE("waiting ends when the other side is gone, or closes the channel", "[remote][endpoint]") {
  Pair pair;
  Endpoint device(*pair.channel, Turn::device, [] { return true; });
  Message message;
  CHECK_FALSE(device.receive(message));
  Endpoint(*pair.channel, Turn::client, kNever).close();
  Endpoint patient(*pair.channel, Turn::device, kNever);
  CHECK_FALSE(patient.receive(message));
}

TEST_CASE("memory that is shared can neither shrink nor grow", "[remote][endpoint]") {
  const int file = make_shared_file("test", 8192);
  REQUIRE(file >= 0);
  CHECK(::ftruncate(file, 0) != 0);
  CHECK(::ftruncate(file, 1 << 20) != 0);
  ::close(file);
}

TEST_CASE("a descriptor crosses with its message", "[remote][endpoint]") {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()) == 0);
  const int file = make_shared_file("test", 4096);
  const std::array<std::byte, 3> sent = {std::byte{1}, std::byte{2}, std::byte{3}};
  REQUIRE(send_with_descriptor(ends[0], sent, file));
  std::array<std::byte, 3> got{};
  int received = -1;
  REQUIRE(receive_with_descriptor(ends[1], got, received));
  CHECK(got == sent);
  CHECK(::lseek(received, 0, SEEK_END) == 4096);
  ::close(received);
  ::close(file);
  ::close(ends[0]);
  CHECK_FALSE(receive_with_descriptor(ends[1], got, received));
  ::close(ends[1]);
}

}  // namespace
}  // namespace warpsim::remote
