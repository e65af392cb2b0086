// Keys of maps as data, whatever the format of the file.
//
// A declaration says of a key what it is called, what may stand there, its default and its meaning, and
// which member of the map's target holds it. Readers, `--set`, the tables of docs/inputs/ and the test
// that no key is ignored all follow from the declarations.
//
//   constexpr Key<Options> option_keys[] = {
//       key::integer<&Options::chunks>("chunks", 1, max_chunks, "1", "parts that a collective is cut into"),
//       key::word<order_words, &Options::order>("order", "fifo", "which chunk goes first"),
//   };
//
// Several members are a path: &Draft::plan, &Plan::batch stands for draft.plan.batch.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/input/node_reader.hpp"
#include "base/input/parameter_kind.hpp"

namespace orrery::core {

enum class KeyType {
  integer,
  real,
  share,
  boolean,
  time,
  size,
  bandwidth,
  rate,
  word,
  text,
  map,
  list,
  other
};

struct KeyPath;

// A kind of runs in which a key means nothing. The kinds belong to whoever declares the key.
struct NotApplicable {
  int kind = -1;
  std::string_view why;
  bool shared = false;  // the top of an experiment may have the key for other runs
};

// Says which values of a key make a machine better. With `as_unit` the unit does: more of a bandwidth or
// rate, less of a time. Declarations of plain numbers and words say it, or nobody varies them.
enum class Better { as_unit, more, less, either, never };

// What can be said of a key without its target.
struct KeyFacts {
  std::string_view name;
  std::string_view fallback;  // as the documentation states it; a key that is "required" may not be missing
  std::string_view meaning;
  KeyType type = KeyType::other;
  double least = 0, largest = 0;                       // the range of numbers
  std::vector<std::string_view> (*words)() = nullptr;  // the words that may stand there
  std::vector<KeyPath> (*below)() = nullptr;           // paths that begin with "." or "[]"
  std::string_view value = {};                         // what may stand there, where the type does not say
  std::string_view sample = {};                        // a value to try, where the type suggests none
  std::array<NotApplicable, 4> useless = {};
  bool is_open = false;  // the reader of a map here knows its keys, and a word may be its `base`
  Better better = Better::as_unit;
  ParameterKind kind = ParameterKind::none;  // of a key that is varied

  constexpr bool is_required() const { return fallback == "required"; }
};

struct KeyPath {
  std::string path;  // such as ".layers[].name"
  const KeyFacts* facts;
};

// One key that a map may have, and how its value gets into a Target.
template <class Target>
struct Key : KeyFacts {
  void (*read)(const InputNode& value, const KeyFacts& key, Target& target);
};

// A declaration that fits the keys of every target in which a Reader finds its members.
template <class Reader>
struct Declared : KeyFacts {
  template <class Target>
  constexpr operator Key<Target>() const {  // NOLINT: a table holds what was declared
    return {*this, &Reader::template read<Target>};
  }

  // These say what may stand there, which values to try, and which keys stand below a value that its reader
  // takes apart itself.
  constexpr Declared of(std::string_view text) const { return with(&KeyFacts::value, text); }
  constexpr Declared trying(std::string_view text) const { return with(&KeyFacts::sample, text); }
  constexpr Declared above(std::vector<KeyPath> (*paths)()) const { return with(&KeyFacts::below, paths); }
  // Says which words may stand there, for types that do not say it.
  constexpr Declared out_of(std::vector<std::string_view> (*choice)()) const {
    return with(&KeyFacts::words, choice);
  }
  constexpr Declared open() const { return with(&KeyFacts::is_open, true); }
  constexpr Declared better(Better way) const { return with(&KeyFacts::better, way); }
  constexpr Declared hardware() const { return with(&KeyFacts::kind, ParameterKind::hardware); }
  constexpr Declared layout() const { return with(&KeyFacts::kind, ParameterKind::layout); }
  constexpr Declared software() const { return with(&KeyFacts::kind, ParameterKind::software); }
  constexpr Declared fitted() const { return with(&KeyFacts::kind, ParameterKind::fitted); }
  template <class Kind>
  constexpr Declared useless_in(Kind runs, std::string_view why, bool shared = false) const {
    std::array<NotApplicable, 4> more = this->useless;
    std::size_t next = 0;
    while (more[next].kind >= 0) ++next;
    more[next] = {static_cast<int>(runs), why, shared};
    return with(&KeyFacts::useless, more);
  }

 private:
  template <class T>
  constexpr Declared with(T KeyFacts::*member, std::type_identity_t<T> fact) const {
    Declared copy = *this;
    copy.*member = fact;
    return copy;
  }
};

// Returns the paths of a table: each key behind `prefix`, and everything below it.
template <class Keys>
std::vector<KeyPath> key_paths(const std::string& prefix, const Keys& keys) {
  std::vector<KeyPath> paths;
  for (const auto& key : keys) {
    const std::string path = prefix + std::string(key.name);
    paths.push_back({path, &key});
    if (!key.below) continue;
    for (const KeyPath& below : key.below()) paths.push_back({path + below.path, below.facts});
  }
  return paths;
}
template <const auto& keys>
std::vector<KeyPath> keys_of_map() {
  return key_paths(".", keys);
}
template <const auto& keys>
std::vector<KeyPath> keys_of_list() {
  return key_paths("[].", keys);
}
// Returns the paths of a map whose keys are names, which the documentation calls <class>.
template <const auto& keys>
std::vector<KeyPath> keys_of_classes() {
  return key_paths(".<class>.", keys);
}
// Returns the paths of a list of maps for which a single map may stand.
template <const auto& keys>
std::vector<KeyPath> keys_of_map_or_list() {
  std::vector<KeyPath> paths = key_paths(".", keys);
  for (KeyPath& path : key_paths("[].", keys)) paths.push_back(std::move(path));
  return paths;
}

// Adds the key `base` of maps that change others (base/input/yaml_base.hpp).
inline std::vector<KeyPath> with_base(std::vector<KeyPath> paths, const KeyFacts& base) {
  paths.insert(paths.begin(), {".base", &base});
  return paths;
}

// Returns the names of a table's keys.
template <class Keys>
std::vector<std::string_view> names_of(const Keys& keys) {
  std::vector<std::string_view> names;
  for (const auto& key : keys) names.push_back(key.name);
  return names;
}

// Reads those keys of a table that a map has, in the order of the table, so that the reader of a key may look
// at the values of earlier ones. The map may have other keys.
template <class Keys, class Target>
void read_known_keys(const InputNode& node, const Keys& keys, Target& target) {
  for (const auto& key : keys)
    if (const InputNode* value = node.find(key.name)) key.read(*value, key, target);
}

// Reads a map that has all required keys of the table and no keys outside it; `what` names the map in a
// sentence, such as "a network dimension". Formats that ignore other keys pass `ignored`, which gets a
// warning for each.
template <class Keys, class Target>
void read_map(const InputNode& node, std::string_view what, const Keys& keys, Target& target,
              Warnings* ignored = nullptr) {
  require_map_of(node, what, names_of(keys), ignored);
  read_known_keys(node, keys, target);
  for (const auto& key : keys)
    if (key.is_required()) required(node, what, key.name);
}

namespace key_readers {

template <class Target>
constexpr Target& member_of(Target& target) {
  return target;
}
template <class Target, class Member, class... Rest>
constexpr auto& member_of(Target& target, Member member, Rest... rest) {
  return member_of(target.*member, rest...);
}

// Reads a value with `parse` and puts it into a member.
template <auto parse, auto... path>
struct Value {
  template <class Target>
  static void read(const InputNode& value, const KeyFacts& key, Target& target) {
    auto& to = member_of(target, path...);
    using To = std::remove_cvref_t<decltype(to)>;
    if constexpr (std::is_arithmetic_v<To>)
      to = static_cast<To>(parse(value, key));
    else
      to = parse(value, key);
  }
};

template <auto function>
struct Function {
  template <class Target>
  static void read(const InputNode& value, const KeyFacts& key, Target& target) {
    if constexpr (requires { function(value, key, target); })
      function(value, key, target);
    else
      function(value, target);
  }
};

struct Ignored {
  template <class Target>
  static void read(const InputNode&, const KeyFacts&, Target&) {}
};

// Reads a map into a member. An optional member is made first.
template <const auto& keys, auto... path>
struct Map {
  template <class Target>
  static void read(const InputNode& value, const KeyFacts& key, Target& target) {
    auto& to = member_of(target, path...);
    if constexpr (requires { to.emplace(); })
      read_map(value, key.value, keys, to.emplace());
    else
      read_map(value, key.value, keys, to);
  }
};

// Functions that ask for nothing but the value and the key's name.
template <class T, T (*function)(const InputNode&, std::string_view)>
T by_name(const InputNode& value, const KeyFacts& key) {
  return function(value, key.name);
}
inline std::int64_t integer(const InputNode& value, const KeyFacts& key) {
  return whole_of(value, key.name, static_cast<std::int64_t>(key.least),
                  static_cast<std::int64_t>(key.largest));
}
inline double real(const InputNode& value, const KeyFacts& key) {
  return real_of(value, key.name, key.least, key.largest);
}
inline double positive(const InputNode& value, const KeyFacts& key) {
  return positive_of(value, key.name, key.largest);
}
inline double nanoseconds(const InputNode& value, const KeyFacts& key) {
  return time_of(value, key.name).ns();
}
inline double seconds(const InputNode& value, const KeyFacts& key) {
  return nanoseconds(value, key) * 1e-9;
}
inline double bytes_per_second(const InputNode& value, const KeyFacts& key) {
  return bandwidth_of(value, key.name).bytes_per_ns() * 1e9;
}
inline const InputNode* node(const InputNode& value, const KeyFacts&) {
  return &value;
}
template <const auto& table>
auto word(const InputNode& value, const KeyFacts& key) {
  return word_value_of(value, key.name, table);
}
template <const auto& table>
std::vector<std::string_view> words() {
  return words_of(table);
}

}  // namespace key_readers

// The functions by which keys are declared.
namespace key {

using Text = std::string_view;

template <auto... path>
constexpr auto integer(Text name, std::int64_t least, std::int64_t largest, Text fallback, Text meaning) {
  return Declared<key_readers::Value<key_readers::integer, path...>>{
      {name, fallback, meaning, KeyType::integer, static_cast<double>(least), static_cast<double>(largest)}};
}
template <auto... path>
constexpr auto real(Text name, double least, double largest, Text fallback, Text meaning) {
  return Declared<key_readers::Value<key_readers::real, path...>>{
      {name, fallback, meaning, KeyType::real, least, largest}};
}
// A number above 0; `value` says so, and says what the largest number is.
template <auto... path>
constexpr auto positive(Text name, double largest, Text value, Text fallback, Text meaning) {
  return Declared<key_readers::Value<key_readers::positive, path...>>{
      {name, fallback, meaning, KeyType::real, 0, largest, nullptr, nullptr, value}};
}
// A number above 0, at most 1.
template <auto... path>
constexpr auto share(Text name, Text fallback, Text meaning) {
  return Declared<key_readers::Value<key_readers::real, path...>>{
      {name, fallback, meaning, KeyType::share, 1e-6, 1}};
}

// Values of one type each, read by `parse`.
template <auto parse, KeyType type, auto... path>
constexpr auto declared(Text name, Text fallback, Text meaning) {
  return Declared<key_readers::Value<parse, path...>>{{name, fallback, meaning, type}};
}
// A number whose range is checked by the reader of the map; `value` says what may stand there.
template <auto... path>
constexpr auto number(Text name, Text value, Text fallback, Text meaning) {
  return declared<key_readers::by_name<double, number_of>, KeyType::other, path...>(name, fallback, meaning)
      .of(value);
}
template <auto parse, KeyType type, auto... path>
struct Declaring {
  constexpr auto operator()(Text name, Text fallback, Text meaning) const {
    return declared<parse, type, path...>(name, fallback, meaning);
  }
};
template <auto... path>
inline constexpr Declaring<key_readers::by_name<bool, bool_of>, KeyType::boolean, path...> boolean{};
template <auto... path>
inline constexpr Declaring<key_readers::by_name<Time, time_of>, KeyType::time, path...> time{};
template <auto... path>  // a time whose member holds ns
inline constexpr Declaring<key_readers::nanoseconds, KeyType::time, path...> nanoseconds{};
template <auto... path>  // a time whose member holds s
inline constexpr Declaring<key_readers::seconds, KeyType::time, path...> seconds{};
template <auto... path>
inline constexpr Declaring<key_readers::by_name<Bytes, bytes_of>, KeyType::size, path...> size{};
template <auto... path>
inline constexpr Declaring<key_readers::by_name<Bandwidth, bandwidth_of>, KeyType::bandwidth, path...>
    bandwidth{};
template <auto... path>  // a bandwidth whose member holds B/s
inline constexpr Declaring<key_readers::bytes_per_second, KeyType::bandwidth, path...> bytes_per_second{};
template <auto... path>
inline constexpr Declaring<key_readers::by_name<double, flops_of>, KeyType::rate, path...> rate{};
template <auto... path>
inline constexpr Declaring<key_readers::by_name<const std::string&, scalar_of>, KeyType::text, path...>
    text{};
template <auto... path>  // a map of texts, of which the member holds "name: text"
inline constexpr Declaring<key_readers::by_name<std::vector<std::string>, texts_of>, KeyType::other, path...>
    texts{};
template <auto... path>  // a name that reports will show
inline constexpr Declaring<key_readers::by_name<const std::string&, label_of>, KeyType::text, path...>
    label{};
// A value that is read later: the member holds its node. `value` says what may stand there.
template <auto... path>
constexpr auto kept(Text name, Text value, Text fallback, Text meaning) {
  return declared<key_readers::node, KeyType::other, path...>(name, fallback, meaning).of(value);
}
template <const auto& table, auto... path>
constexpr auto word(Text name, Text fallback, Text meaning) {
  return Declared<key_readers::Value<key_readers::word<table>, path...>>{
      {name, fallback, meaning, KeyType::word, 0, 0, key_readers::words<table>}};
}
// A word of a table, or another one that `function(node, target)` knows.
template <const auto& table, auto function>
constexpr auto word_or_other(Text name, Text fallback, Text meaning) {
  return Declared<key_readers::Function<function>>{
      {name, fallback, meaning, KeyType::word, 0, 0, key_readers::words<table>}};
}
// A value that `function(node, target)` or `function(node, facts, target)` reads.
template <auto function>
constexpr auto custom(Text name, Text value, Text fallback, Text meaning) {
  return Declared<key_readers::Function<function>>{{name, fallback, meaning}}.of(value);
}
// A value on which nothing depends, and which may be anything.
constexpr auto ignored(Text name, Text meaning = "accepted, without effect") {
  return Declared<key_readers::Ignored>{{name, "", meaning}}.of("any");
}
// A map with a table of its own. Its target is the member, or this map's target if no member is given. `what`
// names the map in a sentence.
template <const auto& keys, auto... path>
constexpr auto map(Text name, Text what, Text fallback, Text meaning) {
  return Declared<key_readers::Map<keys, path...>>{
      {name, fallback, meaning, KeyType::map, 0, 0, nullptr, keys_of_map<keys>, what}};
}

}  // namespace key
}  // namespace orrery::core
