#include "grader/submit/submission/notebook.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/files.h"
#include "grader/submit/submission/source_tree.h"

namespace warpgrade {
namespace {

using nlohmann::json;

json cell(const json& source, const std::string& type = "code") {
  return {{"cell_type", type}, {"source", source}, {"metadata", json::object()}};
}

std::string notebook(const std::vector<json>& cells) {
  return json{{"nbformat", 4}, {"cells", cells}}.dump();
}

TEST_CASE("cells of a notebook are files, by the name that they give or their number",
          "[submission][notebook]") {
  const std::string text = notebook({
      cell("# Lab 1\n%%cu is explained below", "markdown"),
      cell("!nvcc --version"),
      cell(json::array({"%%writefile tile.cuh\n", "constexpr int kTile = 16;\n"})),
      cell("\n%%cu\n__global__ void k() {}\n"),
      cell("%%cuda --name \"vecadd.cu\" --compiler-args \"-O2\"\nint a;\n"),
      cell("%%writefile /content/src/main.cu\nint m;\n"),
      cell("%%writefile -a tile.cuh\nint more;\n"),
      cell("%%writefile notes.txt\nno source\n"),
  });
  const NotebookSources found = sources_of_notebook(text, "lab1");
  CHECK(found.problem.empty());
  REQUIRE(found.sources.size() == 4);
  CHECK(found.sources[0].path == "tile.cuh");
  CHECK(found.sources[0].text == "\nconstexpr int kTile = 16;\n\nint more;\n");
  CHECK(found.sources[1].path == "lab1-cell4.cu");
  CHECK(found.sources[1].text == "\n\n__global__ void k() {}\n");  // line 3 of the cell
  CHECK(found.sources[2].path == "vecadd.cu");
  CHECK(found.sources[3].path == "main.cu");
}

TEST_CASE("the last cell of a name counts, and no cell leads out of the submission",
          "[submission][notebook]") {
  const NotebookSources found = sources_of_notebook(
      notebook({cell("%%writefile a.cu\nint first;"), cell("%%writefile a.cu\nint second;"),
                cell("%%writefile ../../b.cu\nint b;"), cell("%%writefile src/../c/d.cu\nint d;")}),
      "x");
  REQUIRE(found.sources.size() == 3);
  CHECK(found.sources[0].text == "\nint second;");
  CHECK(found.sources[1].path == "b.cu");
  CHECK(found.sources[2].path == "c/d.cu");
}

TEST_CASE("cells name their files in the ways that magics have", "[submission][notebook]") {
  const NotebookSources found =
      sources_of_notebook(notebook({cell("%%file a.cu\nint a;"), cell("%%cuda --name=b.cu\nint b;"),
                                    cell("%%writefile --append a.cu\nint c;"),
                                    cell("%%writefile a.cu --append\nint d;"),
                                    cell("%%cuda_group_save -g \"vec\" -n \"c.cu\"\nint e;")}),
                          "x");
  REQUIRE(found.sources.size() == 3);
  CHECK(found.sources[0].path == "a.cu");
  CHECK(found.sources[0].text == "\nint a;\nint c;\nint d;");
  CHECK(found.sources[1].path == "b.cu");
  CHECK(found.sources[2].path == "c.cu");
}

TEST_CASE("what is not a notebook, or has no CUDA cell, is said", "[submission][notebook]") {
  for (const std::string text : {"", "{", "[]", "{\"cells\": 3}", "{\"cells\": {}}"}) {
    INFO(text);
    CHECK(sources_of_notebook(text, "x").problem.starts_with("is not a Jupyter notebook"));
  }
  for (const std::string& text :
       {notebook({}), notebook({cell("print(1)"), cell(3), json(4), cell(json::array({1, 2}))})}) {
    INFO(text);
    CHECK(sources_of_notebook(text, "x").problem.starts_with("has no cell that begins with %%cu"));
  }
  CHECK(sources_of_notebook(std::string(100'000, '['), "x").sources.empty());
}

TEST_CASE("a student's notebook is read like an archive", "[submission][notebook]") {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "ada";
  write_file_atomically(folder / "Lab 1.ipynb", notebook({cell("%%cu\nint x;\n")}));
  for (const std::filesystem::path& path : {folder, folder / "Lab 1.ipynb"}) {
    const TreeResult work = tree_of_work(path);
    CHECK(work.problem.empty());
    const auto source = work.tree.find("Lab 1-cell1.cu");
    REQUIRE(source.has_value());
    CHECK(SourceTree::read(*source) == "\nint x;\n");
  }
  write_file_atomically(folder / "Lab 1.ipynb", notebook({}));
  CHECK(tree_of_work(folder).problem.starts_with("Lab 1.ipynb has no cell"));
  write_file_atomically(folder / "vecadd.cu", "int y;");
  CHECK(tree_of_work(folder).problem.empty());
}

TEST_CASE("cells that write or are a program without a magic of CUDA are read",
          "[submission][notebook]") {
  const auto first = [](const json& one) {
    const NotebookSources found = sources_of_notebook(notebook({one}), "lab1");
    return found.sources.empty() ? std::string()
                                 : found.sources.front().path + ":" + found.sources.front().text;
  };
  const std::string kernel = "__global__ void k() {}\n";
  CHECK(first(cell("#@title Solution\n%%writefile a.cu\n" + kernel)) == "a.cu:\n\n" + kernel);
  CHECK(first(cell("%%bash\ncat > a.cu <<'EOF'\n" + kernel + "EOF\nnvcc a.cu")) ==
        "a.cu:" + kernel);
  CHECK(first(cell("%%sh\ncat << END > src/a.cu\n" + kernel + "END\n")) == "src/a.cu:" + kernel);
  CHECK(first(cell("code = '''\n" + kernel + "'''\nopen('a.cu', 'w').write(code)\n")) ==
        "a.cu:\n" + kernel);
  CHECK(first(cell("#include <cstdio>\n" + kernel)) ==
        "lab1-cell1.cu:#include <cstdio>\n" + kernel);
  CHECK(first(cell("%%nvcuda\n" + kernel)) == "lab1-cell1.cu:\n" + kernel);
  CHECK(first(cell("%%writefile a.cu\n" + kernel, "raw")) == "a.cu:\n" + kernel);
  CHECK(first(cell("k = cupy.RawKernel('''" + kernel + "''', 'k')")).empty());
  CHECK(first(cell("%%writefile notes.txt\n" + kernel)).empty());
  const std::string old = R"({"nbformat": 3, "worksheets": [{"cells": [
      {"cell_type": "code", "input": "%%cu\nint a;"}]}]})";
  CHECK(sources_of_notebook(old, "lab1").sources.size() == 1);
  CHECK(is_notebook("lab1.ipynb.txt"));
  CHECK_FALSE(is_notebook("lab1.json"));
}

}  // namespace
}  // namespace warpgrade
