#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A file that a cell of a notebook contains.
struct NotebookSource {
  std::string path;
  std::string text;  // its lines have the numbers that they have in the cell
};

struct NotebookSources {
  std::vector<NotebookSource> sources;
  std::string problem;  // why there are none, as after the notebook's name
};

/// The endings of a notebook's name; browsers add the last two.
inline constexpr std::array<std::string_view, 3> kNotebookEndings = {".ipynb", ".ipynb.json",
                                                                     ".ipynb.txt"};
/// Whether a file's name is that of a Jupyter notebook.
[[nodiscard]] bool is_notebook(std::string_view path);

/// The programs and headers in the cells of a Jupyter notebook. Those that begin with
/// `%%writefile NAME` are files of that name; those of the usual CUDA extensions (`%%cu`, `%%cuda`,
/// `%%nvcc` and the like) have the name that they give, or that of the notebook and the number of
/// the cell: `lab1-cell3.cu`. So have other cells with a kernel that are C++; a shell's
/// here-documents and a string that Python writes to a file have that file's name. Other cells are
/// left out.
///
/// @param json  the notebook
/// @param stem  its file name without the ending
[[nodiscard]] NotebookSources sources_of_notebook(std::string_view json, const std::string& stem);

}  // namespace warpgrade
