// A document is a tree of the keys and values that an experiment file has, put together in code.
//
//   orrery::Document experiment;
//   experiment["platform"] = "dgx-h100";
//   experiment["workload"]["model"] = "llama3-70b";
//   experiment["workload"]["parallelism"] = {{"tensor", 8}, {"pipeline", 4}, {"data", 64}};
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/export.hpp"

namespace orrery {

// A value type: a copy shares nothing with the original. Several threads may read one document; writing to it
// is for one thread alone.
class ORRERY_API Document {
 public:
  // A document is of one of these kinds; `null` has no value.
  enum class Kind : std::uint8_t { null, boolean, integer, real, text, list, map };
  using List = std::vector<Document>;  // in the order of the elements
  // Keys such as "network-model" with their values, in the order in which the keys were written.
  using Map = std::vector<std::pair<std::string, Document>>;

  Document();
  Document(const Document& other);
  Document(Document&& other) noexcept;
  Document& operator=(const Document& other);
  Document& operator=(Document&& other) noexcept;
  ~Document();

  template <std::same_as<bool> Boolean>
  Document(Boolean value) : value_(value) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Document(Integer value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::floating_point Real>
  Document(Real value) : value_(static_cast<double>(value)) {}
  // A text is read as the same text in a file would be: "25 GB/s" is a bandwidth, and "8" may be a number.
  Document(const char* text);
  Document(std::string_view text);
  Document(const std::string& text);
  Document(List elements);
  Document(std::initializer_list<std::pair<std::string_view, Document>> entries);

  // Reads YAML, of which JSON is a part. Single values stay texts, as they are written. `file` is what
  // problems name.
  static Result<Document> parse(std::string_view text, const std::string& file = "document");

  Kind kind() const { return static_cast<Kind>(value_.index()); }
  // Number of elements of a list or keys of a map; 0 for anything else.
  std::size_t size() const;

  // Returns the value of a key, which is added if it is missing: null becomes a map. Throws std::logic_error
  // for a document that is neither.
  Document& operator[](std::string_view key);
  // Returns null where this is no map or has no such key.
  const Document* find(std::string_view key) const;
  bool erase(std::string_view key);
  // Throw std::out_of_range.
  Document& operator[](std::size_t element);
  const Document& operator[](std::size_t element) const;
  // Adds an element to a list: null becomes one. Throws std::logic_error for a document that is neither.
  void push_back(Document element);

  // The following functions require a document of that kind, or throw std::bad_variant_access.
  bool boolean() const { return std::get<bool>(value_); }
  std::int64_t integer() const { return std::get<std::int64_t>(value_); }
  double real() const { return std::get<double>(value_); }
  const std::string& text() const { return std::get<std::string>(value_); }
  const List& list() const { return std::get<List>(value_); }
  const Map& map() const { return std::get<Map>(value_); }

  bool operator==(const Document& other) const;

 private:
  // In the order of Kind.
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map> value_;
};

}  // namespace orrery
