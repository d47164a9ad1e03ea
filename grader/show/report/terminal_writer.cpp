#include "grader/show/report/terminal_writer.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/code_points.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// A word between two spaces, in one or more pieces.
struct Word {
  std::vector<Writer::Piece> pieces;
  std::size_t width = 0;
};

std::vector<Word> words_of(const std::vector<Writer::Piece>& pieces) {
  std::vector<Word> words;
  bool ended = true;
  for (const Writer::Piece& piece : pieces) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      if (rest.front() == ' ' || rest.front() == '\n') {
        ended = true;
        rest.remove_prefix(1);
        continue;
      }
      const std::string_view part = rest.substr(0, rest.find_first_of(" \n"));
      rest.remove_prefix(part.size());
      if (ended) words.emplace_back();
      ended = false;
      words.back().pieces.push_back({.text = std::string(part), .ink = piece.ink});
      words.back().width += code_points(part);
    }
  }
  return words;
}

}  // namespace

std::string Writer::ink(Ink ink, std::string_view text) const {
  if (!style_.color || ink == Ink::plain) {
    return std::string(text);
  }
  static constexpr const char* kCodes[] = {"0", "32", "31", "33", "1", "2"};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(ink)], text);
}

void Writer::line(std::string_view text) {
  text_ += text;
  text_ += '\n';
}

Writer::Head Writer::head(std::string_view plain, Ink mark_ink, std::string_view mark) const {
  return {std::string(plain) + ink(mark_ink, mark), plain.size() + mark.size()};
}

void Writer::paragraph(const Head& head, std::size_t indent, std::string_view text) {
  bool at_head = true;
  for (const std::string& part : wrap(text, style_.columns - std::max(head.width, indent))) {
    line((at_head ? head.text : std::string(indent, ' ')) + part);
    at_head = false;
  }
}

void Writer::paragraph(const Head& head, std::size_t indent, const std::vector<Piece>& pieces) {
  std::string text = head.text;
  std::size_t width = head.width;
  bool empty = true;  // the line has no word yet
  for (const Word& word : words_of(pieces)) {
    if (!empty && width + 1 + word.width > style_.columns) {
      line(text);
      text = std::string(indent, ' ');
      width = indent;
      empty = true;
    }
    text += empty ? "" : " ";
    width += (empty ? 0 : 1) + word.width;
    for (const Piece& piece : word.pieces) text += ink(piece.ink, piece.text);
    empty = false;
  }
  line(text);
}

}  // namespace warpgrade
