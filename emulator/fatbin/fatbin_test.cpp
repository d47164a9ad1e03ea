#include "emulator/fatbin/fatbin.h"

#include <lz4.h>
#include <zstd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace warpsim::fatbin;

namespace {

constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kZstd = 0x8000;

using Bytes = std::vector<std::byte>;

template <class T>
void put(Bytes& bytes, T value) {
  const auto* p = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), p, p + sizeof(T));
}

template <class T>
void overwrite(Bytes& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

void put_text(Bytes& bytes, const std::string& text) {
  const auto* p = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), p, p + text.size());
}

std::string compress(const std::string& text, std::uint64_t flags) {
  if (flags == kZstd) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
  }
  if (flags == kLz4) {
    const int size = static_cast<int>(text.size());
    std::string out(static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
    const int used = LZ4_compress_default(text.data(), out.data(), size, LZ4_compressBound(size));
    out.resize(static_cast<std::size_t>(used));
    return out;
  }
  return text;
}

struct EntrySpec {
  std::uint16_t kind = 1;
  std::uint32_t architecture = 75;
  std::string text = {};
  std::uint64_t flags = 0;
  std::string name = {};
  std::string options = {};
};

void put_entry(Bytes& bytes, const EntrySpec& spec) {
  const std::string packed = compress(spec.text, spec.flags);
  const std::uint32_t padded_name = static_cast<std::uint32_t>((spec.name.size() + 7) / 8 * 8);
  const auto padded_options = static_cast<std::uint32_t>((spec.options.size() + 7) / 8 * 8);
  const std::uint32_t header_bytes = 64 + padded_name + 8 + padded_options;
  const std::uint64_t payload_bytes = (packed.size() + 7) / 8 * 8;
  put<std::uint16_t>(bytes, spec.kind);
  put<std::uint16_t>(bytes, 0x0101);
  put<std::uint32_t>(bytes, header_bytes);
  put<std::uint64_t>(bytes, payload_bytes);
  put<std::uint32_t>(bytes, spec.flags == 0 ? 0 : static_cast<std::uint32_t>(packed.size()));
  put<std::uint32_t>(bytes, 64 + padded_name);
  put<std::uint16_t>(bytes, 0);
  put<std::uint16_t>(bytes, 9);
  put<std::uint32_t>(bytes, spec.architecture);
  put<std::uint32_t>(bytes, spec.name.empty() ? 0 : 64);
  put<std::uint32_t>(bytes, static_cast<std::uint32_t>(spec.name.size()));
  put<std::uint64_t>(bytes, spec.flags | 0x11);
  put<std::uint64_t>(bytes, 0);
  put<std::uint64_t>(bytes, spec.flags == 0 ? 0 : spec.text.size());
  put_text(bytes, spec.name + std::string(padded_name - spec.name.size(), '\0'));
  put<std::uint32_t>(bytes, 64 + padded_name + 8);
  put<std::uint32_t>(bytes, static_cast<std::uint32_t>(spec.options.size()));
  put_text(bytes, spec.options + std::string(padded_options - spec.options.size(), '\0'));
  put_text(bytes, packed + std::string(payload_bytes - packed.size(), '\0'));
}

Bytes make_container(const std::vector<EntrySpec>& entries) {
  Bytes body;
  for (const EntrySpec& entry : entries) put_entry(body, entry);
  Bytes bytes;
  put<std::uint32_t>(bytes, kContainerMagic);
  put<std::uint16_t>(bytes, 1);
  put<std::uint16_t>(bytes, 16);
  put<std::uint64_t>(bytes, body.size());
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

struct Wrapper {
  std::uint32_t magic = 0x466243b1;
  std::uint32_t version = 1;
  const void* data = nullptr;
  const void* const* linked = nullptr;
};

const std::string kPtx = "\n\n.version 9.0\n.target sm_75\n.address_size 64\n";

std::string sole_ptx(const Images& images) {
  REQUIRE(images.problems.empty());
  REQUIRE(images.images.size() == 1);
  return images.images[0].ptx;
}

}  // namespace

TEST_CASE("PTX comes out of a container however it is compressed", "[emulator][fatbin]") {
  const auto flags = GENERATE(std::uint64_t{0}, kLz4, kZstd);
  const Bytes bytes = make_container({{.text = kPtx, .flags = flags, .name = "a.cu"}});
  const Images images = read_fatbin(bytes, 90);
  CHECK(sole_ptx(images) == kPtx);
  CHECK(images.images[0].architecture == 75);
  CHECK(images.images[0].name == "a.cu");
}

TEST_CASE("a limit of registers comes out of the options that nvcc was given",
          "[emulator][fatbin]") {
  const auto [options, expected] =
      GENERATE(table<std::string, std::uint32_t>({{" -maxrregcount=64 --generate-line-info ", 64},
                                                  {"--maxrregcount 32", 32},
                                                  {" --generate-line-info ", 0},
                                                  {"", 0},
                                                  {"-maxrregcount", 0},
                                                  {"-maxrregcount=many", 0}}));
  const Bytes bytes = make_container({{.text = kPtx, .name = "a.cu", .options = options}});
  const Images images = read_fatbin(bytes, 90);
  CHECK(sole_ptx(images) == kPtx);
  CHECK(images.images[0].max_registers == expected);
}

TEST_CASE("options that reach beyond their header are left out", "[emulator][fatbin]") {
  Bytes bytes = make_container({{.text = kPtx, .options = "-maxrregcount=64"}});
  constexpr std::size_t kEntry = 16;
  const auto [at, value] =
      GENERATE(table<std::size_t, std::uint32_t>({{kEntry + 20, 80},  // where the options are
                                                  {kEntry + 20, 0xFFFFFFFF},
                                                  {kEntry + 64, 0xFFFFFFF0},  // their offset
                                                  {kEntry + 68, 17}}));  // their length
  overwrite(bytes, at, value);
  CHECK(read_fatbin(bytes, 90).images.at(0).max_registers == 0);
}

TEST_CASE("zero bytes after the text are removed, those of a whole entry too",
          "[emulator][fatbin]") {
  const auto flags = GENERATE(std::uint64_t{0}, kLz4, kZstd);
  const Bytes padded = make_container({{.text = kPtx + std::string(13, '\0'), .flags = flags}});
  CHECK(sole_ptx(read_fatbin(padded, 90)) == kPtx);
  const Bytes zeros = make_container({{.text = std::string(64, '\0'), .flags = flags}});
  CHECK(sole_ptx(read_fatbin(zeros, 90)).empty());
}

TEST_CASE("the PTX for the highest architecture that the device has is chosen",
          "[emulator][fatbin]") {
  const auto [target, expected] = GENERATE(table<std::uint32_t, std::string>(
      {{90, "for 90"}, {89, "for 80"}, {80, "for 80"}, {120, "for 90"}, {70, "for 75"}}));
  const Bytes bytes = make_container({{.architecture = 80, .text = "for 80"},
                                      {.kind = 2, .architecture = 89, .text = "machine code"},
                                      {.architecture = 75, .text = "for 75"},
                                      {.architecture = 90, .text = "for 90"}});
  CHECK(sole_ptx(read_fatbin(bytes, target)) == expected);
}

TEST_CASE("entries are listed without decompressing them", "[emulator][fatbin]") {
  const Bytes bytes = make_container({{.kind = 2, .architecture = 80, .text = "ELF"},
                                      {.text = kPtx, .flags = kZstd},
                                      {.kind = 16, .architecture = 80, .text = "LTO"}});
  const Container container = parse_container(bytes);
  REQUIRE(container.error.empty());
  REQUIRE(container.entries.size() == 3);
  CHECK(container.entries[0].kind == Entry::Kind::machine_code);
  CHECK(container.entries[1].kind == Entry::Kind::ptx);
  CHECK(container.entries[1].version == 90);
  CHECK(container.entries[1].compression == Entry::Compression::zstd);
  CHECK(container.entries[1].size_bytes == kPtx.size());
  CHECK(container.entries[2].kind == Entry::Kind::other);
}

TEST_CASE("machine code without PTX is a problem that says how to compile", "[emulator][fatbin]") {
  const Bytes bytes = make_container({{.kind = 2, .architecture = 80, .text = "ELF"},
                                      {.kind = 16, .architecture = 90, .text = "LTO"}});
  const Images images = read_fatbin(bytes, 90);
  CHECK(images.images.empty());
  REQUIRE(images.problems.size() == 1);
  CHECK(images.problems[0] ==
        "the program contains machine code (sm_80, lto_90) but no PTX, which the emulator "
        "requires; compile with -arch=compute_75 or -gencode arch=compute_75,code=compute_75");
}

TEST_CASE("PTX for one architecture runs on no other", "[emulator][fatbin]") {
  const std::string text = ".version 9.0\n.target sm_90a, debug\n.address_size 64\n";
  const Bytes bytes = make_container({{.architecture = 90, .text = text}});
  CHECK(sole_ptx(read_fatbin(bytes, 90)) == text);
  const auto target = GENERATE(as<std::uint32_t>(), 80, 100);
  const Images images = read_fatbin(bytes, target);
  CHECK(images.images.empty());
  REQUIRE(images.problems.size() == 1);
  CHECK(images.problems[0].starts_with(
      "the device code is for compute capability 9.0 only (sm_90a), and the card has "));
  const std::string plain = ".version 9.0\n.target sm_90\n.address_size 64\n";
  CHECK(sole_ptx(read_fatbin(make_container({{.architecture = 90, .text = plain}}), 80)) == plain);
}

TEST_CASE("a container without entries is not a problem", "[emulator][fatbin]") {
  const Images images = read_fatbin(make_container({}), 90);
  CHECK(images.images.empty());
  CHECK(images.problems.empty());
}

TEST_CASE("text instead of a container is PTX, other bytes are not", "[emulator][fatbin]") {
  Bytes text;
  put_text(text, kPtx + '\0');
  CHECK(sole_ptx(read_fatbin(text, 90)) == kPtx);
  const Images noise = read_fatbin(Bytes(32, std::byte{0x7f}), 90);
  CHECK(noise.images.empty());
  REQUIRE(noise.problems.size() == 1);
  CHECK(noise.problems[0] == "the embedded device code does not start with a fat binary header");
}

TEST_CASE("a wrapper leads to its container or text", "[emulator][fatbin]") {
  const Bytes bytes = make_container({{.text = kPtx, .flags = kZstd}});
  const Wrapper container{.data = bytes.data()};
  CHECK(sole_ptx(read_fatbin(&container, 90)) == kPtx);
  const Wrapper text{.data = kPtx.c_str()};
  CHECK(sole_ptx(read_fatbin(&text, 90)) == kPtx);
}

TEST_CASE("a wrapper of separately compiled units gives each unit's PTX in order",
          "[emulator][fatbin]") {
  const Bytes merged = make_container({{.kind = 2, .architecture = 75, .text = "linked"}});
  const Bytes one = make_container({{.text = "one", .name = "one.cu"}});
  const Bytes two = make_container({{.text = "two", .flags = kLz4, .name = "two.cu"}});
  const void* const units[] = {one.data(), two.data(), nullptr};
  const Wrapper wrapper{.version = 2, .data = merged.data(), .linked = units};
  const Images images = read_fatbin(&wrapper, 90);
  CHECK(images.problems.empty());
  REQUIRE(images.images.size() == 2);
  CHECK(images.images[0].ptx == "one");
  CHECK(images.images[1].ptx == "two");
  CHECK(images.images[1].name == "two.cu");
}

TEST_CASE("the device runtime library, prebuilt for this device, is left out of a linked program",
          "[emulator][fatbin]") {
  const Bytes unit = make_container({{.text = "unit"}});
  const Bytes library = make_container({{.kind = 2, .architecture = 75, .text = "ELF"},
                                        {.kind = 2, .architecture = 90, .text = "ELF"},
                                        {.architecture = 121, .text = "library"}});
  const Bytes empty = make_container({});
  const void* const units[] = {unit.data(), library.data(), nullptr};
  const Wrapper wrapper{.version = 2, .data = empty.data(), .linked = units};
  CHECK(sole_ptx(read_fatbin(&wrapper, 90)) == "unit");
  CHECK(read_fatbin(&wrapper, 121).images.size() == 2);
  const void* const only_library[] = {library.data(), nullptr};
  const Wrapper prebuilt{.version = 2, .data = empty.data(), .linked = only_library};
  CHECK(sole_ptx(read_fatbin(&prebuilt, 90)) == "library");
}

TEST_CASE("an unknown wrapper is named", "[emulator][fatbin]") {
  const Wrapper wrapper{.version = 7, .data = "x"};
  const Images images = read_fatbin(&wrapper, 90);
  CHECK(images.images.empty());
  REQUIRE(images.problems.size() == 1);
  CHECK(images.problems[0] ==
        "device code is registered in an unknown format (magic 466243b1, version 7); "
        "compile with nvcc 12 or 13, or clang");
}

TEST_CASE("damaged containers are named", "[emulator][fatbin]") {
  Bytes bytes = make_container({{.text = kPtx, .flags = kZstd}});
  const auto error = [&] { return parse_container(bytes).error; };
  SECTION("cut off") {
    const std::size_t size = bytes.size();
    bytes.resize(size - 1);
    CHECK(error() == "the fat binary is truncated: expected " + std::to_string(size) +
                         " bytes, found " + std::to_string(size - 1));
  }
  SECTION("version") {
    overwrite<std::uint16_t>(bytes, 4, 3);
    CHECK(error() == "unknown fat binary version 3; supported: 1");
  }
  SECTION("entry too long") {
    overwrite<std::uint64_t>(bytes, 16 + 8, ~std::uint64_t{0});
    CHECK(error() == "entry 1 of the fat binary extends past its end");
  }
  SECTION("entry header too short to advance") {
    overwrite<std::uint32_t>(bytes, 16 + 4, 0);
    CHECK(error() == "entry 1 of the fat binary extends past its end");
  }
  SECTION("more compressed bytes than payload") {
    overwrite<std::uint32_t>(bytes, 16 + 16, 100'000);
    CHECK(error().starts_with("entry 1 of the fat binary has 100000 compressed bytes"));
  }
}

TEST_CASE("a container that claims a huge module is refused before it is allocated",
          "[emulator][fatbin]") {
  Bytes bytes = make_container({{.text = kPtx, .flags = kZstd}});
  overwrite<std::uint64_t>(bytes, 16 + 56, std::uint64_t{1} << 60);
  const Images images = read_fatbin(bytes, 90);
  CHECK(images.images.empty());
  REQUIRE(images.problems.size() == 1);
  CHECK(images.problems[0] ==
        "the PTX for compute_75 has 1152921504606846976 bytes; the limit is 67108864");
}

TEST_CASE("a wrong uncompressed size is an error, never shorter or longer text",
          "[emulator][fatbin]") {
  const auto flags = GENERATE(kLz4, kZstd);
  const auto delta = GENERATE(-1, 1);
  Bytes bytes = make_container({{.text = kPtx, .flags = flags, .name = "a.cu"}});
  overwrite<std::uint64_t>(
      bytes, 16 + 56, static_cast<std::uint64_t>(static_cast<std::int64_t>(kPtx.size()) + delta));
  const Images images = read_fatbin(bytes, 90);
  CHECK(images.images.empty());
  REQUIRE(images.problems.size() == 1);
  CHECK(images.problems[0].starts_with("the PTX for compute_75 of a.cu cannot be decompressed: "));
}

TEST_CASE("every truncation and random damage is answered, not crashed on",
          "[emulator][fatbin][hostile]") {
  std::string text = kPtx;
  for (int i = 0; i < 50; ++i) text += "// line " + std::to_string(i) + "\n";
  const Bytes good = make_container({{.kind = 2, .architecture = 80, .text = "ELF"},
                                     {.text = text, .flags = kZstd, .name = "a.cu"},
                                     {.architecture = 80, .text = text, .flags = kLz4}});
  for (std::size_t size = 0; size < good.size(); ++size) {
    // A copy of exactly this size, so that a sanitizer sees any read behind it.
    const Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    const Images images = read_fatbin(cut, 90);
    CHECK(images.images.empty());
    CHECK(images.problems.size() == 1);
  }
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    Bytes bytes = good;
    for (int flips = 0; flips < 1 + round % 4; ++flips) {
      // Headers are a small part of the bytes but the interesting one.
      const std::size_t range = round % 2 == 0 ? 80 : bytes.size();
      bytes[random() % range] = static_cast<std::byte>(random());
    }
    const Images images = read_fatbin(bytes, 90);
    CHECK(images.images.size() + images.problems.size() <= 1);
  }
}
