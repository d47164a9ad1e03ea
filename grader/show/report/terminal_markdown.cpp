#include "grader/show/report/terminal_markdown.h"

#include <md4c.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "grader/core/text.h"
#include "grader/show/report/terminal_writer.h"

namespace warpgrade {
namespace {

/// Receives the parser's events, and writes each block at its end.
class TerminalPage {
 public:
  explicit TerminalPage(const TerminalStyle& style) : out_(style) {}

  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_H:
        ink_ = Ink::strong;
        break;
      case MD_BLOCK_CODE:
        flush();  // the text before it, in a list
        in_code_ = true;
        break;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        flush();
        lists_.push_back(type == MD_BLOCK_OL
                             ? static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start)
                             : 0);
        break;
      case MD_BLOCK_LI:
        mark_ = lists_.back() > 0 ? std::to_string(lists_.back()++) + ". " : "- ";
        break;
      case MD_BLOCK_TR:
        cells_ = 0;
        break;
      case MD_BLOCK_TD:
      case MD_BLOCK_TH:
        if (cells_++ > 0) pieces_.push_back({.text = " | ", .ink = Ink::faint});
        break;
      default:
        break;
    }
  }

  void leave(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_H:
        flush();
        ink_ = Ink::plain;
        out_.line();
        break;
      case MD_BLOCK_P:
        flush();
        if (lists_.empty()) out_.line();
        break;
      case MD_BLOCK_LI:
      case MD_BLOCK_TR:
        flush();
        break;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        lists_.pop_back();
        if (lists_.empty()) out_.line();
        break;
      case MD_BLOCK_TABLE:
        out_.line();
        break;
      case MD_BLOCK_CODE:
        for (const std::string_view line : split_lines(code_)) {
          out_.line(line.empty() ? "" : "    " + out_.ink(Ink::faint, line));
        }
        out_.line();
        code_.clear();
        in_code_ = false;
        break;
      default:
        break;
    }
  }

  void span(MD_SPANTYPE type, bool enters) {
    if (type == MD_SPAN_STRONG) {
      ink_ = enters ? Ink::strong : Ink::plain;
    } else if (type == MD_SPAN_CODE) {
      pieces_.push_back({.text = "`", .ink = ink_});
    }
  }

  void text(MD_TEXTTYPE type, std::string_view text) {
    if (in_code_) {
      code_ += text;
    } else if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
      pieces_.push_back({.text = " ", .ink = ink_});
    } else {
      pieces_.push_back({.text = std::string(text), .ink = ink_});
    }
  }

  std::string take() {
    std::string text = out_.take();
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
  }

 private:
  void flush() {
    if (pieces_.empty()) return;
    const std::size_t indent = 2 * lists_.size();
    const std::string space = indent > mark_.size() ? std::string(indent - mark_.size(), ' ') : "";
    out_.paragraph(out_.head(space + mark_), indent, pieces_);
    mark_.clear();
    pieces_.clear();
  }

  Writer out_;
  Ink ink_ = Ink::plain;
  bool in_code_ = false;
  std::string code_;
  std::vector<Writer::Piece> pieces_;
  std::vector<int> lists_;  // per open list: its next number, 0 if unnumbered
  std::string mark_;  // the mark of the next item
  std::size_t cells_ = 0;
};

}  // namespace

std::string terminal_of_markdown(std::string_view markdown, const TerminalStyle& style) {
  TerminalPage page(style);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* p) {
    static_cast<TerminalPage*>(p)->enter(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* p) {
    static_cast<TerminalPage*>(p)->leave(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void*, void* p) {
    static_cast<TerminalPage*>(p)->span(type, true);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* p) {
    static_cast<TerminalPage*>(p)->span(type, false);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* p) {
    static_cast<TerminalPage*>(p)->text(type, {text, size});
    return 0;
  };
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &page) != 0) {
    throw std::runtime_error("a page of docs/pitfalls could not be read");
  }
  return page.take();
}

}  // namespace warpgrade
