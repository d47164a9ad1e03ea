# Writes OUTPUT, a C++ source that defines what recording/pictures.h declares, from the files of FOLDER.
# A script, run at build time: cmake -DOUTPUT=x.cpp -DFOLDER=pictures "-DSCRIPTS=a.js;b.js" -P EmbedPictures.cmake
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/ReadScript.cmake")
set(source "#include \"emulator/recording/pictures.h\"\n\n#include <array>\n\nnamespace {\n\n")
foreach(file IN ITEMS recording.html pictures.css LISTS SCRIPTS)
  if(file MATCHES "[.]js$")
    read_script("${FOLDER}/${file}" bytes)
  else()
    file(READ "${FOLDER}/${file}" bytes HEX)
  endif()
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(MAKE_C_IDENTIFIER "${file}" symbol)
  string(APPEND source "constexpr unsigned char ${symbol}[] = {${bytes}0};\n")
endforeach()
set(cast "{reinterpret_cast<const char*>(")
string(APPEND source "const std::array kParts = {\n")
foreach(file IN LISTS SCRIPTS)
  string(MAKE_C_IDENTIFIER "${file}" symbol)
  string(APPEND source "    std::string_view${cast}${symbol}), sizeof ${symbol} - 1},\n")
endforeach()
string(APPEND source "};\n\n}  // namespace\n\nnamespace warpsim::recording {\n
const std::string_view kPage${cast}recording_html), sizeof recording_html - 1};
const std::string_view kStyle${cast}pictures_css), sizeof pictures_css - 1};
const std::span<const std::string_view> kScripts = kParts;

}  // namespace warpsim::recording
")
file(WRITE "${OUTPUT}" "${source}")
