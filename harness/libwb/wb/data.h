#pragma once

#include <ctype.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base.h"
#include "image.h"

// Files by their extension: .raw and .dat (a line with the number of rows, or of rows and columns,
// then numbers), .csv, .tsv, .ppm and .pbm (images), .txt and .text.

typedef enum en_wbExportKind_t {
  wbExportKind_unknown = -1,
  wbExportKind_raw = 0x1000,
  wbExportKind_csv,
  wbExportKind_tsv,
  wbExportKind_ppm,
  wbExportKind_text
} wbExportKind_t;

namespace wb_detail {

inline std::string read_file(const char* file) {
  if (!file) give_up("no file name was given; write -i file0,file1,...");
  std::ifstream in(file, std::ios::binary);
  if (!in) give_up(wbString("cannot open '", file, "'"));
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

/// A table of numbers.
template <class T>
struct Table {
  std::vector<T> values;
  int rows;
  int columns;
};

inline void to_number(const std::string& word, const char* file, float& value) {
  char* end = NULL;
  value = strtof(word.c_str(), &end);
  if (end == word.c_str() || *end) give_up(wbString("'", file, "' has '", word, "', not a number"));
}
inline void to_number(const std::string& word, const char* file, int& value) {
  char* end = NULL;
  const double number = strtod(word.c_str(), &end);
  if (end == word.c_str() || *end || number != static_cast<double>(static_cast<int>(number))) {
    give_up(wbString("'", file, "' has '", word, "', not an integer"));
  }
  value = static_cast<int>(number);
}

/// Words separated by white space or `separator`, with the number of words in the first line.
inline std::vector<std::string> words_of(const std::string& text, char separator, size_t& in_line) {
  std::vector<std::string> words;
  std::string word;
  in_line = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (c == separator || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      if (!word.empty()) words.push_back(word);
      word.clear();
      if (c == '\n' && in_line == 0) in_line = words.size();
    } else {
      word += c;
    }
  }
  return words;
}

template <class T>
Table<T> read_table(const char* file) {
  const std::string text = read_file(file);
  const std::string kind = extension(file);
  const bool is_raw = kind == "raw" || kind == "dat";
  if (!is_raw && kind != "csv" && kind != "tsv") {
    give_up(wbString("'", file, "' is not a .raw, .dat, .csv or .tsv file"));
  }
  size_t in_line = 0;
  const std::vector<std::string> words = words_of(text, ',', in_line);
  Table<T> table;
  size_t first = 0;
  if (is_raw) {
    if (in_line < 1 || in_line > 2) {
      give_up(wbString("the first line of '", file,
                       "' is not its number of rows, or of rows and "
                       "columns"));
    }
    first = in_line;
    to_number(words[0], file, table.rows);
    table.columns = 1;
    if (in_line == 2) to_number(words[1], file, table.columns);
  } else {
    table.columns = static_cast<int>(in_line);
    table.rows = in_line ? static_cast<int>(words.size() / in_line) : 0;
  }
  const size_t count = static_cast<size_t>(table.rows) * static_cast<size_t>(table.columns);
  if (words.size() - first != count) {
    give_up(wbString("'", file, "' has ", words.size() - first, " numbers; ", table.rows, " x ",
                     table.columns, " are expected"));
  }
  table.values.resize(count);
  for (size_t i = 0; i < count; ++i) to_number(words[first + i], file, table.values[i]);
  return table;
}

template <class T>
void* import_table(const char* file, int* rows, int* columns) {
  const Table<T> table = read_table<T>(file);
  const bool is_row = table.rows == 1 && table.columns > 0;  // a vector all the same
  if (rows) *rows = is_row ? table.columns : table.rows;
  if (columns) *columns = is_row ? 1 : table.columns;
  void* data = malloc(table.values.empty() ? 1 : table.values.size() * sizeof(T));
  if (!table.values.empty()) memcpy(data, table.values.data(), table.values.size() * sizeof(T));
  return data;
}

inline wbImage_t read_image(const char* file) {
  const std::string text = read_file(file);
  const int channels = text.compare(0, 2, "P6") == 0 ? 3 : text.compare(0, 2, "P5") == 0 ? 1 : 0;
  if (channels == 0) give_up(wbString("'", file, "' is not a binary PPM or PGM image (P6 or P5)"));
  size_t at = 2;
  int numbers[3] = {0, 0, 0};  // width, height, largest value
  for (int i = 0; i < 3; ++i) {
    while (at < text.size() && (isspace(static_cast<unsigned char>(text[at])) || text[at] == '#')) {
      if (text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1);
      ++at;
    }
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && numbers[i] < 100000; ++at) {
      numbers[i] = 10 * numbers[i] + (text[at] - '0');
    }
  }
  ++at;  // one character of white space
  const size_t count = static_cast<size_t>(numbers[0]) * static_cast<size_t>(numbers[1]) *
                       static_cast<size_t>(channels);
  if (numbers[2] != 255 || text.size() < at || text.size() - at < count) {
    give_up(wbString("'", file, "' is not a whole image of 8 bits per channel"));
  }
  wbImage_t image = wbImage_new(numbers[0], numbers[1], channels);
  for (size_t i = 0; i < count; ++i) {
    image->data[i] = static_cast<float>(static_cast<unsigned char>(text[at + i])) / 255.0f;
  }
  return image;
}

template <class T>
void write_number(std::ostream& out, T value) {
  out << value;
}
inline void write_number(std::ostream& out, unsigned char value) {
  out << static_cast<int>(value);
}

template <class T>
void write_table(const char* file, wbExportKind_t kind, const T* data, int rows, int columns) {
  std::ofstream out(file, std::ios::binary);
  out.precision(9);  // reads back as the same float
  char separator = ' ';
  if (kind == wbExportKind_csv) {
    separator = ',';
  } else if (kind == wbExportKind_tsv) {
    separator = '\t';
  } else {
    out << rows;
    if (columns != 1) out << ' ' << columns;
    out << '\n';
  }
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (column > 0) out << separator;
      write_number(out, data[static_cast<size_t>(row) * static_cast<size_t>(columns) +
                             static_cast<size_t>(column)]);
    }
    out << '\n';
  }
  out.close();
  if (!out) give_up(wbString("cannot write '", file, "'"));
}

inline wbExportKind_t kind_of(const char* file) {
  const std::string kind = extension(file);
  if (kind == "csv") return wbExportKind_csv;
  if (kind == "tsv") return wbExportKind_tsv;
  if (kind == "ppm" || kind == "pbm" || kind == "pgm") return wbExportKind_ppm;
  if (kind == "txt" || kind == "text") return wbExportKind_text;
  return wbExportKind_raw;
}

}  // namespace wb_detail

/// @param type  "Real", "Integer" or "Text"
inline void* wbImport(const char* file, int* rows, int* columns, const char* type) {
  const std::string kind = type;
  if (kind == "Real") return wb_detail::import_table<float>(file, rows, columns);
  if (kind == "Integer") return wb_detail::import_table<int>(file, rows, columns);
  if (kind != "Text") {
    wb_detail::give_up(wbString("wbImport: '", type, "' is not Real, Integer or Text"));
  }
  const std::string text = wb_detail::read_file(file);
  if (rows) *rows = static_cast<int>(text.size());
  if (columns) *columns = 1;
  return wb_detail::copied(text);
}
inline void* wbImport(const char* file, int* rows, const char* type) {
  return wbImport(file, rows, static_cast<int*>(NULL), type);
}
inline void* wbImport(const char* file, int* rows, int* columns) {
  return wbImport(file, rows, columns, "Real");
}
inline void* wbImport(const char* file, int* rows) {
  return wbImport(file, rows, static_cast<int*>(NULL), "Real");
}
inline wbImage_t wbImport(const char* file) {
  return wb_detail::read_image(file);
}
/// The only number of a file.
inline int wbImport_flag(const char* file) {
  const std::string text = wb_detail::read_file(file);
  return atoi(text.c_str());
}

inline void wbExport(const char* file, wbReal_t* data, int rows, int columns = 1) {
  wb_detail::write_table(file, wb_detail::kind_of(file), data, rows, columns);
}
inline void wbExport(const char* file, int* data, int rows, int columns = 1) {
  wb_detail::write_table(file, wb_detail::kind_of(file), data, rows, columns);
}
inline void wbExport(const char* file, unsigned char* data, int rows, int columns = 1) {
  wb_detail::write_table(file, wb_detail::kind_of(file), data, rows, columns);
}
inline void wbExport_text(const char* file, void* data, int length) {
  std::ofstream out(file, std::ios::binary);
  out.write(static_cast<const char*>(data), length);
  out.close();
  if (!out) wb_detail::give_up(wbString("cannot write '", file, "'"));
}
inline void wbExport(const char* file, wbImage_t image) {
  std::ofstream out(file, std::ios::binary);
  out << (image->channels == 1 ? "P5\n" : "P6\n") << image->width << ' ' << image->height
      << "\n255\n";
  const size_t count = static_cast<size_t>(image->width) * static_cast<size_t>(image->height) *
                       static_cast<size_t>(image->channels);
  for (size_t i = 0; i < count; ++i) {
    const float level = image->data[i] * 255.0f + 0.5f;
    out.put(static_cast<char>(static_cast<unsigned char>(level >= 255.0f ? 255.0f
                                                         : level > 0.0f  ? level
                                                                         : 0.0f)));
  }
  out.close();
  if (!out) wb_detail::give_up(wbString("cannot write '", file, "'"));
}
