# read_script(FILE VARIABLE): a script as hexadecimal digits, without lines that are a comment and without indentation,
# because each page carries it.
function(read_script file variable)
  file(READ "${file}" text)
  string(REGEX REPLACE "\n[ ]+" "\n" text "\n${text}")
  string(REGEX REPLACE "\n//[^\n]*" "" text "${text}")
  string(HEX "${text}" bytes)
  set("${variable}" "${bytes}" PARENT_SCOPE)
endfunction()
