# Writes a man page that is what the program's own help says:
#   cmake -DCOMMAND=<program;arguments> -DNAME=<name> -DTITLE=<one line> -DOUTPUT=<file> -P ManPage.cmake
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\\" "\\e" help "${help}")
string(REPLACE "-" "\\-" help "${help}")
string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" help "${help}")
string(TOUPPER "${NAME}" heading)
file(WRITE "${OUTPUT}" ".TH ${heading} 1 \"\" warpgrade \"User Commands\"
.SH NAME
${NAME} \\- ${TITLE}
.SH DESCRIPTION
.nf
${help}.fi
.SH SEE ALSO
The pages in /usr/share/warpgrade/docs, or in share/warpgrade/docs beside the program.
")
