#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/show/report/terminal.h"

namespace warpgrade {

enum class Ink { plain, good, bad, warn, strong, faint };

/// Writes lines for a terminal, wrapped to its columns, and in colour if it has colours. Nothing is
/// truncated: a word that is too long gets a line of its own.
class Writer {
 public:
  explicit Writer(const TerminalStyle& style) : style_(style) {}

  [[nodiscard]] std::string ink(Ink ink, std::string_view text) const;

  void line(std::string_view text = "");

  /// The start of a paragraph: `width` columns, without colour codes.
  struct Head {
    std::string text;
    std::size_t width = 0;
  };
  [[nodiscard]] Head head(std::string_view plain, Ink mark_ink = Ink::plain,
                          std::string_view mark = "") const;

  /// Text wrapped to the columns: the first line after `head`, the others after `indent` spaces.
  void paragraph(const Head& head, std::size_t indent, std::string_view text);

  /// A coloured part of a paragraph; parts include the spaces between them.
  struct Piece {
    std::string text;
    Ink ink = Ink::plain;
  };
  void paragraph(const Head& head, std::size_t indent, const std::vector<Piece>& pieces);

  [[nodiscard]] std::size_t columns() const { return style_.columns; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  TerminalStyle style_;
  std::string text_;
};

}  // namespace warpgrade
