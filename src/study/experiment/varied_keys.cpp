#include "study/experiment/varied_keys.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace orrery::core {

namespace {

constexpr std::size_t max_varied_keys = 24;

using ValuesByPath = std::unordered_map<std::string, std::string>;

// Collects the scalars of maps and lists by their paths. A list of scalars is one value.
class Paths {
 public:
  void add(const InputNode& node, const std::string& path, ValuesByPath& values) {
    const auto is_scalar = [](const InputNode& item) { return item.kind == InputNode::Kind::scalar; };
    if (node.kind == InputNode::Kind::list && std::ranges::all_of(node.items, is_scalar)) {
      std::string list;
      for (const InputNode& item : node.items) list += (list.empty() ? "" : ", ") + item.text;
      set(path, "[" + list + "]", values);
    } else if (node.items.empty()) {
      set(path, node.text, values);
    }
    for (std::size_t i = 0; i < node.items.size() && !values.contains(path); ++i)
      add(node.items[i], path + '.' + name_of(node, i), values);
  }

  const std::vector<std::string>& in_order() const { return order_; }

 private:
  static std::string name_of(const InputNode& node, std::size_t i) {
    if (node.kind == InputNode::Kind::map) return node.names[i].text;
    const InputNode* const name = node.items[i].find("name");
    return name ? name->text : std::to_string(i);
  }

  void set(const std::string& path, std::string value, ValuesByPath& values) {
    values[path] = std::move(value);
    if (known_.emplace(path, "").second) order_.push_back(path);
  }

  ValuesByPath known_;
  std::vector<std::string> order_;
};

}  // namespace

VariedKeys varied_keys(const InputNode& document, const InputNode& runs) {
  Paths paths;
  ValuesByPath usual;             // what runs take from the top
  std::vector<ValuesByPath> own;  // of each run
  for (const InputNode& run : runs.items) {
    ValuesByPath& values = own.emplace_back();
    for (std::size_t i = 0; i < run.names.size(); ++i) {
      const std::string& key = run.names[i].text;
      if (key == "name") continue;
      paths.add(run.items[i], key, values);
      if (const InputNode* const top = document.find(key); top) paths.add(*top, key, usual);
    }
  }
  const auto value_of_run = [&](std::size_t run, const std::string& path) {
    const ValuesByPath& from =
        runs.items[run].find(std::string_view(path).substr(0, path.find('.'))) ? own[run] : usual;
    const auto found = from.find(path);
    return found == from.end() ? std::string() : found->second;
  };
  VariedKeys varied;
  varied.values.resize(own.size());
  for (const std::string& path : paths.in_order()) {
    std::vector<std::string> values;
    for (std::size_t run = 0; run < own.size(); ++run) values.push_back(value_of_run(run, path));
    if (std::ranges::count(values, values.front()) == std::ssize(values)) continue;
    varied.keys.push_back(path);
    for (std::size_t run = 0; run < own.size(); ++run) varied.values[run].push_back(std::move(values[run]));
    if (varied.keys.size() == max_varied_keys) break;
  }
  return varied;
}

namespace {

// The kinds of values that can be used by name, and where they stand.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> words_of_pieces{{
    {"network", "networks"},
    {"system", "systems"},
    {"workload", "workloads"},
    {"platform", "platforms"},
}};

// Adds the values of a run's key. If the key names a piece, its own values come over those of its base.
void add_piece(const InputNode& node, const std::string& key, const InputNode* named, Paths& paths,
               ValuesByPath& values, int depth = 0) {
  constexpr int deepest = 16;
  const InputNode* const base = node.kind == InputNode::Kind::scalar ? &node : node.find("base");
  const InputNode* const piece = named && base && depth < deepest ? named->find(base->text) : nullptr;
  if (piece) add_piece(*piece, key, named, paths, values, depth + 1);
  if (piece && base == &node) return;
  if (piece)
    for (std::size_t i = 0; i < node.names.size(); ++i) {
      if (node.names[i].text != "base") paths.add(node.items[i], key + '.' + node.names[i].text, values);
    }
  else
    paths.add(node, key, values);
}

}  // namespace

std::map<std::string, std::string> keys_of_run(const InputNode& document, const InputNode* run) {
  constexpr std::array<std::string_view, 4> of_the_document{"name", "runs", "comparisons", "reports"};
  Paths paths;
  ValuesByPath values;
  const auto add = [&](const std::string& key, const InputNode& value) {
    const auto is_piece = [&](const auto& kind) { return kind.second == key; };
    if (std::ranges::find(of_the_document, key) != of_the_document.end() ||
        std::ranges::any_of(words_of_pieces, is_piece))
      return;
    const InputNode* named = nullptr;
    for (const auto& [one, several] : words_of_pieces)
      if (one == key) named = document.find(several);
    add_piece(value, key, named, paths, values);
  };
  for (std::size_t i = 0; i < document.names.size(); ++i)
    if (!run || !run->find(document.names[i].text)) add(document.names[i].text, document.items[i]);
  if (run)
    for (std::size_t i = 0; i < run->names.size(); ++i) add(run->names[i].text, run->items[i]);
  return {values.begin(), values.end()};
}

std::vector<std::string> seeds_of(const InputNode& document) {
  constexpr std::string_view usual_seed = "0";
  std::vector<std::string> seeds;
  const auto add_from = [&](const InputNode& node) {
    const InputNode* const jitter = node.find("compute-jitter");
    if (!jitter) return;
    const InputNode* const seed = jitter->find("seed");
    const std::string text(seed ? std::string_view(seed->text) : usual_seed);
    if (std::ranges::find(seeds, text) == seeds.end()) seeds.push_back(text);
  };
  add_from(document);
  if (const InputNode* const runs = document.find("runs")) std::ranges::for_each(runs->items, add_from);
  return seeds;
}

}  // namespace orrery::core
