// JSON values that know where they stand in their file, so that errors can point there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostics.hpp"

namespace orrery {

class JsonValue;
struct JsonMember;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  // in the order of the file; keys are unique

// The accessors throw a located InputError "`name` has to be ..." when the value is of another kind; `name`
// is what the user calls the value, usually its key.
class JsonValue {
 public:
  using Content =
      std::variant<std::monostate, bool, std::int64_t, double, std::string, JsonArray, JsonObject>;

  JsonValue(Content content, std::shared_ptr<const std::string> file, int line, int column);

  SourceLocation where() const { return {*file_, line_, column_}; }
  const Content& content() const { return content_; }
  Content& content() { return content_; }

  // Returns a whole number that fits an int; 4.0 counts as one.
  int as_int(std::string_view name) const;
  double as_real(std::string_view name) const;
  bool as_bool(std::string_view name) const;
  const std::string& as_string(std::string_view name) const;
  const JsonArray& as_array(std::string_view name) const;
  const JsonObject& as_object(std::string_view name) const;

  // Returns the member of an object with this key, or null (also when this is no object).
  const JsonValue* find(std::string_view key) const;

 private:
  [[noreturn]] void reject(std::string_view name, const char* wanted) const;

  Content content_;
  std::shared_ptr<const std::string> file_;
  int line_;
  int column_;
};

struct JsonMember {
  std::string key;
  SourceLocation where;  // place of the key
  JsonValue value;
};

// Strict JSON (a byte order mark is skipped); the same key twice in an object, or nesting deeper than 200, is
// an error too. Throws InputError.
JsonValue parse_json(std::string_view text, const std::string& file);

}  // namespace orrery
