#include "memory/memory_profile.hpp"

#include <array>

#include "base/embedded_file.hpp"
#include "base/file.hpp"
#include "base/nearest_names.hpp"
#include "base/words.hpp"
#include "base/yaml_reader.hpp"

namespace orrery {
namespace {

constexpr double most_copies = 1000;

constexpr YamlKey<ActivationClasses> copies_keys[] = {
    {"input", [](const YamlNode& v, ActivationClasses& c) { c.input = real_of(v, "input", 0, most_copies); }},
    {"products",
     [](const YamlNode& v, ActivationClasses& c) { c.products = real_of(v, "products", 0, most_copies); }},
    {"pooling",
     [](const YamlNode& v, ActivationClasses& c) { c.pooling = real_of(v, "pooling", 0, most_copies); }},
    {"concatenation",
     [](const YamlNode& v, ActivationClasses& c) {
       c.concatenation = real_of(v, "concatenation", 0, most_copies);
     }},
    {"in-place",
     [](const YamlNode& v, ActivationClasses& c) { c.in_place = real_of(v, "in-place", 0, most_copies); }},
};

constexpr std::array<Word<bool>, 2> optimizer_place_words{{{"first-device", true}, {"every-device", false}}};

constexpr YamlKey<MemoryProfile> profile_keys[] = {
    {"name", [](const YamlNode& v, MemoryProfile& p) { p.name = label_of(v, "name"); }},
    {"context", [](const YamlNode& v, MemoryProfile& p) { p.context = bytes_of(v, "context"); }},
    {"workspace", [](const YamlNode& v, MemoryProfile& p) { p.workspace = bytes_of(v, "workspace"); }},
    {"optimizer-on",
     [](const YamlNode& v, MemoryProfile& p) {
       p.store_on_first = word_value_of(v, "optimizer-on", optimizer_place_words);
     }},
    {"copies",
     [](const YamlNode& v, MemoryProfile& p) {
       for (const auto& key : copies_keys) required(v, "`copies`", key.name);
       read_map(v, "`copies`", copies_keys, p.copies);
     }},
};

}  // namespace

MemoryProfile read_memory_profile(std::string_view text, const std::string& file) {
  const YamlNode root = parse_yaml(text, file);
  require_map(root, "a memory file");
  for (const auto& key : profile_keys) required(root, "a memory file", key.name);
  MemoryProfile profile;
  read_map(root, "a memory file", profile_keys, profile);
  return profile;
}

std::vector<std::string_view> memory_file_keys() {
  std::vector<std::string_view> keys;
  for (const auto& key : profile_keys) keys.push_back(key.name);
  for (const auto& key : copies_keys) keys.push_back(key.name);
  return keys;
}

std::vector<std::string_view> memory_profile_words() {
  return embedded_names("memory");
}

MemoryProfile find_memory_profile(const std::string& word_or_path, const SourceLocation& where) {
  if (word_or_path.find('/') != std::string::npos || word_or_path.ends_with(".yaml"))
    return read_memory_profile(read_text_file(word_or_path), word_or_path);
  const std::string name = "memory/" + word_or_path + ".yaml";
  if (const auto text = embedded_file(name)) return read_memory_profile(*text, name);
  const auto words = memory_profile_words();
  throw InputError(where,
                   none_of_name("memory file", word_or_path, words) + "; a file of one's own ends in .yaml");
}

}  // namespace orrery
