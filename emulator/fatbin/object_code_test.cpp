#include "emulator/fatbin/object_code.h"

#include <elf.h>
#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/fatbin/linked_image.h"

using namespace warpsim::fatbin;

namespace {

std::string container(const std::string& name) {
  const Image unit = {.ptx = ".version 9.0\n.target sm_75\n.address_size 64\n", .name = name};
  return write_linked_image({&unit, 1}, 0);
}

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// An object with one section of device code.
std::string object(const std::string& section, const std::string& code) {
  const std::string names = '\0' + section + '\0' + ".shstrtab" + '\0';
  Elf64_Ehdr header = {};
  for (int i = 0; i < SELFMAG; ++i) header.e_ident[i] = static_cast<unsigned char>(ELFMAG[i]);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  Elf64_Shdr device = {};
  device.sh_name = 1;
  device.sh_type = SHT_PROGBITS;
  device.sh_offset = sizeof header + 3 * sizeof(Elf64_Shdr);
  device.sh_size = code.size();
  Elf64_Shdr strings = {};
  strings.sh_name = static_cast<Elf64_Word>(2 + section.size());
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = device.sh_offset + code.size();
  strings.sh_size = names.size();
  return bytes_of(header) + bytes_of(Elf64_Shdr{}) + bytes_of(device) + bytes_of(strings) + code +
         names;
}

std::string member(const std::string& name, const std::string& contents) {
  return fmt::format("{:<16}{:<24}{:<8}{:<10}`\n", name, "0", "644", contents.size()) + contents +
         (contents.size() % 2 != 0 ? "\n" : "");
}

ObjectCode read(const std::string& file) {
  return read_object_code(std::as_bytes(std::span(file)));
}

}  // namespace

TEST_CASE("the containers of an object are found in both of nvcc's sections",
          "[emulator][fatbin]") {
  for (const char* section : {".nv_fatbin", "__nv_relfatbin"}) {
    const std::string file = object(section, container("a.cu") + container("b.cu"));
    const ObjectCode code = read(file);
    CHECK(code.problem.empty());
    REQUIRE(code.containers.size() == 2);
    const Images second = read_fatbin(code.containers[1].bytes, 90);
    REQUIRE(second.images.size() == 1);
    CHECK(second.images[0].name == "b.cu");
  }
}

TEST_CASE("an object without device code has none", "[emulator][fatbin]") {
  const ObjectCode code = read(object(".text", container("a.cu")));
  CHECK(code.problem.empty());
  CHECK(code.containers.empty());
}

TEST_CASE("the members of an archive are read, with long names and an index",
          "[emulator][fatbin]") {
  const std::string file = "!<arch>\n" + member("/", std::string(7, '\0')) +
                           member("//", "a_name_of_more_than_sixteen_bytes.o/\n") +
                           member("short.o/", object("__nv_relfatbin", container("a.cu"))) +
                           member("/0", object("__nv_relfatbin", container("b.cu"))) +
                           member("readme.txt/", "text");
  const ObjectCode code = read(file);
  CHECK(code.problem.empty());
  REQUIRE(code.containers.size() == 2);
  CHECK(code.containers[0].member == "short.o");
  CHECK(code.containers[1].member == "a_name_of_more_than_sixteen_bytes.o");
}

TEST_CASE("a damaged object or archive is an error and reads nothing outside",
          "[emulator][fatbin]") {
  CHECK(read("int main() {}").problem == "it is neither an object nor an archive of objects");
  CHECK(read("\x7f"
             "ELF")
            .problem == "it is truncated");
  const std::string whole = object("__nv_relfatbin", container("a.cu"));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    for (const ObjectCode::Container& one : read(whole.substr(0, bytes)).containers) {
      CHECK(one.bytes.size() <= bytes);
    }
  }
  CHECK(read("!<arch>\n" + member("a.o/", whole).substr(0, 200)).problem ==
        "the header of a member is damaged");
  const std::string cut = whole.substr(0, 100);
  CHECK(read("!<arch>\n" + member("a.o/", cut)).problem ==
        "member a.o: its table of sections is damaged");
}
