#pragma once

#include "emulator/ptx/context.h"

namespace warpsim::ptx {

/// Reads a function's body, from the opening brace to after the closing one: fills registers,
/// variables, instructions, tables and prototypes.
void parse_body(Context& context, Function& function);

/// Reads the part after `.entry` or `.func`: name, parameters, directives; not the body. Also what
/// follows `.callprototype`.
/// @returns the token of the function's name
Token parse_signature(Context& context, Function& function);

/// Reads `.noreturn`, `.maxntid 128, 1, 1`, ... up to the '{' or ';'.
void parse_function_directives(Context& context, Function& function);

}  // namespace warpsim::ptx
