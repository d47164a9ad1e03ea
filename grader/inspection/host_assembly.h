#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// Assembly that a submission has in its host code, in what nvcc hands to the host's compiler:
/// there all macros are expanded, and the bodies of device functions, whose PTX is welcome, are cut
/// out.
///
/// @param host_code       nvcc's `<file>.cudafe1.cpp`
/// @param own_prefix      the folder of the submission's files, if their names are absolute in
/// there
/// @param trusts_markers  whether a statement is the system's because its line marker says so; not
///                        when the submission writes markers itself (writes_line_markers)
/// @return one sentence's part with the place, "inline assembly at vecadd.cu:12"; empty for none
[[nodiscard]] std::string host_assembly(std::string_view host_code, std::string_view own_prefix,
                                        bool trusts_markers);

/// Whether a source has `#line 12 "file"` or `# 12 "file"`.
[[nodiscard]] bool writes_line_markers(std::string_view source);

}  // namespace warpgrade
