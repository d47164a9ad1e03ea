#pragma once

#include "arg.h"
#include "base.h"
#include "data.h"
#include "image.h"

namespace wb_detail {

/// libwb's tolerance. A grader compares the output file within its own.
constexpr float kTolerance = 0.2f;

inline bool is_equal(float want, float got) {
  const float error = want - got;
  return error <= kTolerance && -error <= kTolerance;
}
inline bool is_equal(int want, int got) {
  return want == got;
}

/// Why the data are wrong; empty if they are right.
template <class T, class From>
std::string difference(const char* expected, const From* data, int rows, int columns) {
  const Table<T> table = read_table<T>(expected);
  const bool is_row = table.rows == 1 && table.columns > 0;
  const int wanted_rows = is_row ? table.columns : table.rows;
  const int wanted_columns = is_row ? 1 : table.columns;
  if (wanted_rows != rows || wanted_columns != columns) {
    return wbString("The solution has ", rows, " x ", columns, " elements; ", wanted_rows, " x ",
                    wanted_columns, " are expected.");
  }
  for (size_t i = 0; i < table.values.size(); ++i) {
    const T got = static_cast<T>(data[i]);
    if (!is_equal(table.values[i], got)) {
      return wbString("The solution is wrong in row ", i / static_cast<size_t>(columns),
                      ", column ", i % static_cast<size_t>(columns), ": ", table.values[i],
                      " is expected, it is ", got, ".");
    }
  }
  return std::string();
}

}  // namespace wb_detail

/// Compares the result with the expected one (-e) and writes it to the output file (-o).
inline wbBool wbSolution(const char* expected, const char* output, const char* type, void* data,
                         int rows, int columns, int depth = 1) {
  (void)depth;
  const std::string kind = type ? wb_detail::lower(type) : "vector";
  std::string problem;
  if (!data) wb_detail::give_up("wbSolution has no data");
  if (kind == "image") {
    wbImage_t image = static_cast<wbImage_t>(data);
    if (expected) {
      wbImage_t want = wbImport(expected);
      if (!wbImage_sameQ(image, want)) problem = "The image differs from the expected one.";
      wbImage_delete(want);
    }
    if (output) wbExport(output, image);
  } else if (kind == "integral_vector" || kind == "integral_matrix") {
    const int* values = static_cast<const int*>(data);
    if (expected) problem = wb_detail::difference<int>(expected, values, rows, columns);
    if (output) wbExport(output, static_cast<int*>(data), rows, columns);
  } else if (kind == "histogram") {
    const unsigned char* values = static_cast<const unsigned char*>(data);
    if (expected) problem = wb_detail::difference<int>(expected, values, rows, columns);
    if (output) wbExport(output, static_cast<unsigned char*>(data), rows, columns);
  } else if (kind == "text") {
    if (expected && wb_detail::read_file(expected) !=
                        std::string(static_cast<const char*>(data),
                                    static_cast<size_t>(rows) * static_cast<size_t>(columns))) {
      problem = "The text differs from the expected one.";
    }
    if (output) wbExport_text(output, data, rows * columns);
  } else if (kind == "vector" || kind == "matrix") {
    const float* values = static_cast<const float*>(data);
    if (expected) problem = wb_detail::difference<float>(expected, values, rows, columns);
    if (output) wbExport(output, static_cast<float*>(data), rows, columns);
  } else {
    wb_detail::give_up(wbString("-t ", kind, " is not vector, matrix, integral_vector, histogram, ",
                                "image or text"));
  }
  if (!problem.empty()) {
    printf("%s\n", problem.c_str());
  } else if (expected) {
    printf("The solution is correct.\n");
  } else {
    printf("The solution was not compared: no expected output (-e) was given.\n");
  }
  return problem.empty();
}

inline wbBool wbSolution(wbArg_t arg, void* data, int rows, int columns = 1, int depth = 1) {
  return wbSolution(arg.expectedOutput, arg.outputFile, arg.type, data, rows, columns, depth);
}

inline wbBool wbSolution(wbArg_t arg, wbImage_t image) {
  return wbSolution(arg.expectedOutput, arg.outputFile, "image", image, image->height, image->width,
                    image->channels);
}
