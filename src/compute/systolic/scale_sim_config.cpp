#include "compute/systolic/scale_sim_config.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/text_lines.hpp"
#include "base/words.hpp"

namespace orrery {
namespace {

enum class Key : std::uint8_t {
  rows,
  columns,
  input_sram,
  filter_sram,
  output_sram,
  dataflow,
  bandwidth,
  interface_bandwidth,
  ignored
};

// The keys of version 2, then those that version 1 names otherwise.
constexpr std::array<Word<Key>, 17> keys{{
    {"ArrayHeight", Key::rows},
    {"ArrayWidth", Key::columns},
    {"IfmapSramSzkB", Key::input_sram},
    {"FilterSramSzkB", Key::filter_sram},
    {"OfmapSramSzkB", Key::output_sram},
    {"Dataflow", Key::dataflow},
    {"Bandwidth", Key::bandwidth},
    {"InterfaceBandwidth", Key::interface_bandwidth},
    {"run_name", Key::ignored},
    {"IfmapOffset", Key::ignored},
    {"FilterOffset", Key::ignored},
    {"OfmapOffset", Key::ignored},
    {"MemoryBanks", Key::ignored},
    {"IfmapSramSz", Key::input_sram},
    {"FilterSramSz", Key::filter_sram},
    {"OfmapSramSz", Key::output_sram},
    {"TopologyCsvLoc", Key::ignored},
}};

constexpr std::array<std::string_view, 4> sections{"general", "architecture_presets", "run_presets",
                                                   "network_presets"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

const Word<Key>* key_named(std::string_view name) {
  const auto found =
      std::ranges::find_if(keys, [&](const Word<Key>& key) { return lower(key.word) == lower(name); });
  return found == keys.end() ? nullptr : &*found;
}

class ConfigReader {
 public:
  ConfigReader(const std::string& file, Warnings& warnings) : file_(file), warnings_(warnings) {}

  SystolicArray read(std::string_view text) {
    for (const Token& line : lines_of(text)) read_line(trimmed(line));
    SystolicArray array;
    array.rows = number(Key::rows, 1, largest_edge);
    array.columns = number(Key::columns, 1, largest_edge);
    array.input_sram = number(Key::input_sram, 1, largest_kb) * 1024;
    array.filter_sram = number(Key::filter_sram, 1, largest_kb) * 1024;
    array.output_sram = number(Key::output_sram, 1, largest_kb) * 1024;
    array.dataflow = dataflow();
    if (has_user_bandwidth()) array.bandwidth = number(Key::bandwidth, 1, largest_kb);
    return array;
  }

 private:
  static constexpr std::uint64_t largest_edge = 1 << 20, largest_kb = std::uint64_t{1} << 32;

  SourceLocation where(const Token& token) const { return {file_, token.line, token.column}; }

  void read_line(const Token& line) {
    if (line.text.empty() || line.text.starts_with('#') || line.text.starts_with(';')) return;
    if (line.text.starts_with('[')) return read_section(line);
    if (in_other_section_) return;
    const std::size_t end = line.text.find_first_of("=:");
    if (end == std::string_view::npos)
      throw InputError(where(line), "has to be `[section]` or `key = value`, not " + backquoted(line.text));
    const Token name = trimmed({line.text.substr(0, end), line.line, line.column});
    const Token value =
        trimmed({line.text.substr(end + 1), line.line, line.column + static_cast<int>(end) + 1});
    const Word<Key>* key = key_named(name.text);
    if (!key) {
      warnings_.add(where(name), "unknown key " + backquoted(name.text) + " is ignored" +
                                     suggestion(name.text, scale_sim_config_keys()));
      return;
    }
    if (key->value != Key::ignored && !values_.emplace(key->value, value).second)
      throw InputError(where(name), backquoted(name.text) + " stands there twice, remove one");
  }

  void read_section(const Token& line) {
    if (!line.text.ends_with(']'))
      throw InputError(where(line), "the section " + backquoted(line.text) + " lacks its `]`");
    const std::string_view name = line.text.substr(1, line.text.size() - 2);
    in_other_section_ = std::ranges::find(sections, lower(name)) == sections.end();
    if (in_other_section_)
      warnings_.add(where(line),
                    "the section " + backquoted(name) + " is ignored" + suggestion(name, sections));
  }

  const Token& required(Key key) const {
    const auto found = values_.find(key);
    if (found == values_.end())
      throw InputError({file_}, "the key " + backquoted(word_of(keys, key)) +
                                    " is missing, add it to the section `architecture_presets`");
    return found->second;
  }

  std::uint64_t number(Key key, std::uint64_t least, std::uint64_t largest) const {
    return whole_number(required(key), file_, backquoted(word_of(keys, key)), least, largest);
  }

  Dataflow dataflow() const {
    const Token& word = required(Key::dataflow);
    if (const auto dataflow = value_of(dataflow_words, lower(word.text))) return *dataflow;
    throw InputError(where(word), "unknown dataflow " + backquoted(word.text) + ", use " +
                                      alternatives(words_of(dataflow_words)));
  }

  bool has_user_bandwidth() const {
    const auto found = values_.find(Key::interface_bandwidth);
    if (found == values_.end()) return false;
    const Token& mode = found->second;
    const std::string word = lower(mode.text);
    if (word == "calc") return false;
    if (word != "user")
      throw InputError(where(mode),
                       "unknown interface bandwidth " + backquoted(mode.text) + ", use `CALC` or `USER`");
    warnings_.add(where(mode), "the bandwidth is taken as a bound; the stalls of SCALE-Sim are longer");
    return true;
  }

  const std::string& file_;
  Warnings& warnings_;
  bool in_other_section_ = false;
  std::map<Key, Token> values_;
};

}  // namespace

std::vector<std::string_view> scale_sim_config_keys() {
  return words_of(keys);
}

SystolicArray read_scale_sim_config(std::string_view text, const std::string& file, Warnings& warnings) {
  return ConfigReader(file, warnings).read(text);
}

}  // namespace orrery
