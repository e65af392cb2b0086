#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "base/input/input_tree_builder.hpp"

namespace orrery::core {
namespace {

// Finds where each token of a JSON text starts. The parser reports tokens in order but not where they stand,
// and between two of them only white space, commas and colons can lie.
class TokenPlaces {
 public:
  explicit TokenPlaces(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
  }

  struct Place {
    int line, column;
  };

  Place next() {
    while (position_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[position_]) != text_.npos)
      ++position_;
    const Place place = at(position_);
    skip_token();
    return place;
  }

  // `position` must not lie before any asked for earlier.
  Place at(std::size_t position) {
    for (; counted_ < std::min(position, text_.size()); ++counted_) {
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    }
    return {line_, static_cast<int>(position - line_start_) + 1};
  }

 private:
  void skip_token() {
    const char first = text_[position_++];
    if (first == '"') {
      while (text_[position_] != '"') position_ += text_[position_] == '\\' ? 2 : 1;
      ++position_;
    } else if (std::string_view("[]{}").find(first) == std::string_view::npos) {
      position_ = std::min(text_.find_first_of(" \t\r\n,:[]{}", position_), text_.size());
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;  // behind the last token
  std::size_t counted_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

// Receives the parser's events.
class JsonEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonEvents(std::string_view text, const std::string& file)
      : size_(text.size()), places_(text), file_(file) {}

  InputNode take() { return tree_.take(); }

  bool null() override { return add(Kind::null, {}); }
  bool boolean(bool value) override { return add(Kind::boolean, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return add(Kind::number, std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Kind::number, std::to_string(value)); }
  // 4.0 becomes 4, which is a whole number.
  bool number_float(number_float_t value, const string_t&) override {
    return add(Kind::number, fmt::format("{}", value));
  }
  bool string(string_t& value) override { return add(Kind::text, std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON text has none
  bool key(string_t& key) override { return add(Kind::text, std::move(key)); }

  bool start_object(std::size_t) override { return open(Kind::map); }
  bool start_array(std::size_t) override { return open(Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string what = error.what();
    // and "[json.exception.out_of_range.406] number overflow ...".
    if (const auto start = what.find("syntax error"); start != what.npos) what.erase(0, start);
    if (what.starts_with('[')) what.erase(0, what.find("] ") + 2);
    std::replace_if(
        what.begin(), what.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    if (what.size() > 200) what = what.substr(0, 200) + "...";
    refuse(std::min(position > 0 ? position - 1 : 0, size_), what);
  }

  [[noreturn]] void refuse(std::size_t position, const std::string& what) {
    throw InputError(locate(places_.at(position)), "no valid JSON: " + what + "; correct the file there");
  }

 private:
  using Kind = InputNode::Kind;

  SourceLocation locate(TokenPlaces::Place place) const { return {file_, place.line, place.column}; }

  bool add(Kind kind, std::string text) {
    tree_.add({kind, std::move(text), {}, {}, locate(places_.next())});
    return true;
  }
  bool open(Kind kind) {
    tree_.open(kind, locate(places_.next()));
    return true;
  }
  bool close() {
    places_.next();
    tree_.close();
    return true;
  }

  std::size_t size_;
  TokenPlaces places_;
  const std::string& file_;
  InputTreeBuilder tree_{200};
};

}  // namespace

InputNode parse_json(std::string_view text, const std::string& file) {
  JsonEvents events(text, file);
  // The library's message for an empty text differs from release to release.
  if (text.find_first_not_of(" \t\r\n") == text.npos) events.refuse(0, "there is nothing in it");
  // The parser would take a zero byte for the end of the text.
  if (const auto zero = text.find('\0'); zero != text.npos) events.refuse(zero, "a zero byte");
  nlohmann::json::sax_parse(text.begin(), text.end(), &events);
  return events.take();
}

}  // namespace orrery::core
