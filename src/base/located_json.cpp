#include "base/located_json.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/words.hpp"

namespace orrery {
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

// Receives the parser's events and builds the tree.
class JsonTreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonTreeBuilder(std::string_view text, const std::string& file)
      : size_(text.size()), places_(text), file_(std::make_shared<const std::string>(file)) {}

  JsonValue take() { return std::move(root_.front()); }

  bool null() override { return add(std::monostate{}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return add(static_cast<double>(value));
    return add(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON text has none

  bool start_object(std::size_t) override { return open(JsonObject{}); }
  bool start_array(std::size_t) override { return open(JsonArray{}); }
  bool end_object() override {
    refuse_duplicates(std::get<JsonObject>(open_.back().content()));
    return close();
  }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    keys_.push_back({std::move(key), locate(places_.next())});
    return true;
  }

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
  static constexpr std::size_t deepest = 200;
  struct Key {
    std::string text;
    SourceLocation where;
  };

  SourceLocation locate(TokenPlaces::Place place) const { return {*file_, place.line, place.column}; }

  static void refuse_duplicates(const JsonObject& object) {
    std::vector<const JsonMember*> members;
    for (const JsonMember& member : object) members.push_back(&member);
    const auto by_key = [](const JsonMember* a, const JsonMember* b) { return a->key < b->key; };
    std::stable_sort(members.begin(), members.end(), by_key);
    for (std::size_t i = 1; i < members.size(); ++i)
      if (members[i]->key == members[i - 1]->key)
        throw InputError(members[i]->where,
                         backquoted(members[i]->key) + " is given twice, remove one of the two");
  }

  JsonValue new_value(JsonValue::Content content) {
    const TokenPlaces::Place place = places_.next();
    return JsonValue(std::move(content), file_, place.line, place.column);
  }

  bool add(JsonValue::Content content) { return attach(new_value(std::move(content))); }

  bool open(JsonValue::Content content) {
    open_.push_back(new_value(std::move(content)));
    if (open_.size() > deepest)
      throw InputError(open_.back().where(), "nested deeper than 200 brackets, which no file here needs");
    return true;
  }

  bool close() {
    places_.next();
    JsonValue value = std::move(open_.back());
    open_.pop_back();
    return attach(std::move(value));
  }

  bool attach(JsonValue value) {
    if (open_.empty()) {
      root_.push_back(std::move(value));
    } else if (auto* array = std::get_if<JsonArray>(&open_.back().content())) {
      array->push_back(std::move(value));
    } else {
      std::get<JsonObject>(open_.back().content())
          .push_back({std::move(keys_.back().text), std::move(keys_.back().where), std::move(value)});
      keys_.pop_back();
    }
    return true;
  }

  std::size_t size_;
  TokenPlaces places_;
  std::shared_ptr<const std::string> file_;
  std::vector<JsonValue> open_;  // arrays and objects not yet closed
  std::vector<Key> keys_;        // whose values are not yet complete
  std::vector<JsonValue> root_;  // the result
};

}  // namespace

JsonValue parse_json(std::string_view text, const std::string& file) {
  JsonTreeBuilder builder(text, file);
  // The library's message for an empty text differs from release to release.
  if (text.find_first_not_of(" \t\r\n") == text.npos) builder.refuse(0, "there is nothing in it");
  // The parser would take a zero byte for the end of the text.
  if (const auto zero = text.find('\0'); zero != text.npos) builder.refuse(zero, "a zero byte");
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

JsonValue::JsonValue(Content content, std::shared_ptr<const std::string> file, int line, int column)
    : content_(std::move(content)), file_(std::move(file)), line_(line), column_(column) {}

void JsonValue::reject(std::string_view name, const char* wanted) const {
  throw InputError(where(), backquoted(name) + " has to be " + wanted);
}

int JsonValue::as_int(std::string_view name) const {
  const double value = as_real(name);
  if (std::trunc(value) != value || value < INT_MIN || value > INT_MAX)
    reject(name, "a whole number below 2^31");
  return static_cast<int>(value);
}

double JsonValue::as_real(std::string_view name) const {
  if (const auto* value = std::get_if<std::int64_t>(&content_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<double>(&content_)) return *value;
  reject(name, "a number");
}

bool JsonValue::as_bool(std::string_view name) const {
  if (const auto* value = std::get_if<bool>(&content_)) return *value;
  reject(name, "true or false");
}

const std::string& JsonValue::as_string(std::string_view name) const {
  if (const auto* value = std::get_if<std::string>(&content_)) return *value;
  reject(name, "a text in double quotes");
}

const JsonArray& JsonValue::as_array(std::string_view name) const {
  if (const auto* value = std::get_if<JsonArray>(&content_)) return *value;
  reject(name, "an array: [...]");
}

const JsonObject& JsonValue::as_object(std::string_view name) const {
  if (const auto* value = std::get_if<JsonObject>(&content_)) return *value;
  reject(name, "an object: {...}");
}

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto* object = std::get_if<JsonObject>(&content_);
  if (object == nullptr) return nullptr;
  const auto member =
      std::find_if(object->begin(), object->end(), [&](const JsonMember& m) { return m.key == key; });
  return member == object->end() ? nullptr : &member->value;
}

}  // namespace orrery
