#include "compute/systolic/scale_sim_config.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/diagnostics/words.hpp"
#include "base/text/text_lines.hpp"
#include "compute/systolic/checked_count.hpp"

namespace orrery::core {
namespace {

constexpr std::int64_t largest_edge = 1 << 20, largest_kb = std::int64_t{1} << 32;

enum class Interface : std::uint8_t { calculated, user };
constexpr std::array<EnumName<Interface>, 2> interface_words{{
    {"calc", Interface::calculated},
    {"user", Interface::user},
}};

struct ScaleSimDraft : SystolicArray {
  Interface interface = Interface::calculated;
  ScaleSimSparsity sparsity;
  const InputNode* bandwidth_node = nullptr;
};

std::uint64_t kib(const InputNode& node, const KeyFacts& key) {
  return static_cast<std::uint64_t>(whole_of(node, key.name, 1, largest_kb)) * 1024;
}
template <auto member>
constexpr auto buffer(std::string_view name) {
  return key::declared<kib, KeyType::other, member>(name, "required", "size of the buffer")
      .of("KiB, 1 to 2³²");
}

constexpr Key<ScaleSimDraft> scale_sim_keys[] = {
    key::integer<&ScaleSimDraft::rows>("ArrayHeight", 1, largest_edge, "required", "rows of units"),
    key::integer<&ScaleSimDraft::columns>("ArrayWidth", 1, largest_edge, "required", "columns of units"),
    buffer<&ScaleSimDraft::input_sram>("IfmapSramSzkB"),
    buffer<&ScaleSimDraft::filter_sram>("FilterSramSzkB"),
    buffer<&ScaleSimDraft::output_sram>("OfmapSramSzkB"),
    key::word<dataflow_words, &ScaleSimDraft::dataflow>("Dataflow", "required", "what stays in the units"),
    key::word<interface_words, &ScaleSimDraft::interface>("InterfaceBandwidth", "calc",
                                                          "`user`: `Bandwidth` counts, with a warning"),
    key::kept<&ScaleSimDraft::bandwidth_node>("Bandwidth", "1 to 2³²", "needed with `user`",
                                              "words per cycle"),
    key::boolean<&ScaleSimDraft::sparsity, &ScaleSimSparsity::support>(
        "SparsitySupport", "false", "whether rows of weights that are zero are left out, under `ws`"),
    key::boolean<&ScaleSimDraft::sparsity, &ScaleSimSparsity::optimized>(
        "OptimizedMapping", "false",
        "whether rows differ: half of every block is kept, whatever the topology says"),
    key::integer<&ScaleSimDraft::sparsity, &ScaleSimSparsity::block>(
        "BlockSize", 2, largest_edge, "4", "rows of a block, with `OptimizedMapping`"),
    key::ignored("SparseRep"),
    key::ignored("RandomNumberGeneratorSeed"),
    key::ignored("run_name"),
    key::ignored("IfmapOffset"),
    key::ignored("FilterOffset"),
    key::ignored("OfmapOffset"),
    key::ignored("MemoryBanks"),
    key::ignored("TopologyCsvLoc"),
};

// Names of version 1, which are known beside those of version 2.
constexpr std::array<EnumName<std::string_view>, 3> older_names{{
    {"IfmapSramSz", "IfmapSramSzkB"},
    {"FilterSramSz", "FilterSramSzkB"},
    {"OfmapSramSz", "OfmapSramSzkB"},
}};

constexpr std::array<std::string_view, 5> sections{"general", "architecture_presets", "sparsity",
                                                   "run_presets", "network_presets"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

// Returns a key as version 2 spells it; empty for an unknown one.
std::string_view known_key(std::string_view name) {
  for (const auto& [older, newer] : older_names)
    if (lower(older) == lower(name)) return newer;
  for (const KeyFacts& key : scale_sim_keys)
    if (lower(key.name) == lower(name)) return key.name;
  return {};
}

class LinesReader {
 public:
  LinesReader(const std::string& file, Warnings& warnings) : file_(file), warnings_(warnings) {
    map_.kind = InputNode::Kind::map;
    map_.where = {file};
  }

  InputNode read(std::string_view text) {
    for (const Token& line : lines_of(text)) read_line(trimmed(line));
    return std::move(map_);
  }

 private:
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
    const std::string_view key = known_key(name.text);
    if (!key.empty() && !given_.insert(key).second)
      throw InputError(where(name), backquoted(name.text) + " stands there twice, remove one");
    map_.names.push_back({std::string(key.empty() ? name.text : key), where(name)});
    map_.items.push_back({InputNode::Kind::scalar, lower(value.text), {}, {}, where(value)});
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

  const std::string& file_;
  Warnings& warnings_;
  bool in_other_section_ = false;
  std::set<std::string_view> given_;  // known keys
  InputNode map_;
};

}  // namespace

SystolicArray read_scale_sim_config(std::string_view text, const std::string& file, Warnings& warnings) {
  const InputNode root = LinesReader(file, warnings).read(text);
  ScaleSimDraft draft;
  read_map(root, "the configuration", scale_sim_keys, draft, &warnings);
  if (draft.interface == Interface::user) {
    const auto& bandwidth = required(root, "the configuration", "Bandwidth");
    draft.bandwidth = static_cast<std::uint64_t>(whole_of(bandwidth, "Bandwidth", 1, largest_kb));
    warnings.add(root.find("InterfaceBandwidth")->where,
                 "the bandwidth is taken as a bound; the stalls of SCALE-Sim are longer");
  }
  return draft;
}

ScaleSimSparsity read_scale_sim_sparsity(std::string_view text, const std::string& file) {
  Warnings none;  // the reader of the array has them
  const InputNode root = LinesReader(file, none).read(text);
  ScaleSimDraft draft;
  read_map(root, "the configuration", scale_sim_keys, draft, &none);
  if (const InputNode* support = root.find("SparsitySupport")) draft.sparsity.where = support->where;
  if (draft.sparsity.support && draft.dataflow != Dataflow::weight_stationary)
    throw InputError(draft.sparsity.where,
                     "rows of weights are only left out where weights stay: write `Dataflow: ws`, or "
                     "`SparsitySupport: false`");
  return draft.sparsity;
}

void leave_out_zeros(TopologyLayer& layer, const ScaleSimSparsity& sparsity, Warnings& warnings) {
  const bool ratio_counts = sparsity.support && !sparsity.optimized;
  if (!layer.sparsity.is_dense() && !ratio_counts)
    warnings.add(layer.sparsity_where,
                 sparsity.support ? "with `OptimizedMapping` the sparsity of the topology does not count"
                                  : "the sparsity does not count: no rows of weights are left out without "
                                    "`SparsitySupport: true` in the configuration");
  if (!sparsity.support) return;
  SystolicOperation& operation = layer.operation;
  const std::uint64_t half = ceil_divide(operation.k, 2 * sparsity.block) * sparsity.block;
  const std::uint64_t kept = sparsity.optimized ? half : layer.sparsity.kept_of(operation.k);
  if (kept == operation.k) return;
  operation.dense_k = operation.k;
  operation.k = kept;
}

std::vector<KeyPath> scale_sim_config_keys() {
  return key_paths("", scale_sim_keys);
}

}  // namespace orrery::core
