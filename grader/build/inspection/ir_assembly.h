#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// Assembly that a submission has in its host code, in LLVM's intermediate language as clang writes
/// it: statements of functions and of files. Names of symbols and sections cannot bring any, since
/// clang writes the object without an assembler.
///
/// @param code            clang's `-S -emit-llvm -g1`
/// @param own_prefix      folder of the submission's files, with a '/' at its end
/// @param trusts_markers  no source says #line: what stands in files that are not the submission's
/// is
///                        then left out
/// @return what was found, for a sentence, "inline assembly at vecadd.cu:12"; empty if nothing
[[nodiscard]] std::string ir_assembly(std::string_view code, std::string_view own_prefix,
                                      bool trusts_markers);

}  // namespace warpgrade
