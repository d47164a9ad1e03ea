# Writes OUTPUT, a C++ source that holds FILES and defines warpgrade::embedded_file. A script, run
# at build time: cmake -DOUTPUT=x.cpp "-DFILES=a;b" -P EmbedFiles.cmake
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/ReadScript.cmake")
set(table "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  if(file MATCHES "/recording/pictures/.*[.]js$")
    read_script("${file}" bytes)
  else()
    file(READ "${file}" bytes HEX)
  endif()
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  string(APPEND arrays "constexpr unsigned char ${symbol}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", ${symbol}, sizeof ${symbol} - 1},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"grader/core/embedded.h\"

#include <cstddef>
#include <stdexcept>

namespace {

${arrays}
struct File {
  std::string_view name;
  const unsigned char* bytes;
  std::size_t size;
};
constexpr File kFiles[] = {
${table}};

}  // namespace

std::string_view warpgrade::embedded_file(std::string_view name) {
  for (const File& file : kFiles) {
    if (file.name == name) {
      return {reinterpret_cast<const char*>(file.bytes), file.size};
    }
  }
  throw std::logic_error(\"no embedded file \" + std::string(name));
}
")
