#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// Finds inline assembly in a submission's host code, in the source that nvcc passes to the host
/// compiler: there, macros are expanded and the bodies of device functions, which may contain PTX,
/// are removed.
///
/// @param host_code       nvcc's `<file>.cudafe1.cpp`
/// @param own_prefix      the folder of the submission's files, if the source has absolute names
/// @param trusts_markers  whether line markers decide if a statement is in a system header; false
///                        if the submission writes markers itself (writes_line_markers)
/// @return a phrase with the location, "inline assembly at vecadd.cu:12"; empty if there is none
[[nodiscard]] std::string host_assembly(std::string_view host_code, std::string_view own_prefix,
                                        bool trusts_markers);

/// Whether a source has `#line 12 "file"` or `# 12 "file"`.
[[nodiscard]] bool writes_line_markers(std::string_view source);

}  // namespace warpgrade
