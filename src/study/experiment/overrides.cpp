#include "study/experiment/overrides.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "base/input/map_entries.hpp"
#include "base/text/token_reader.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core {
namespace {

// Walks down the document and, at the same time, down the paths that the schema knows.
class Override {
 public:
  Override(InputNode& document, std::string_view path, const SourceLocation& where, AskedKeys& keys)
      : node_(&document), keys_(keys), where_(where), rest_(path) {}

  void apply(InputNode value) {
    while (!rest_.empty()) step();
    *node_ = std::move(value);
  }

  void leave_out() {
    while (!rest_.empty()) step();
    if (!parent_) reject(backquoted(path_) + " is an element of a list, which cannot be left out");
    const auto entry = node_ - parent_->items.data();
    parent_->items.erase(parent_->items.begin() + entry);
    parent_->names.erase(parent_->names.begin() + entry);
  }

 private:
  void step() {
    const bool over_open_base = !reader_knows_ && is_open();
    if (over_open_base && node_->kind == InputNode::Kind::scalar) make_base();
    reader_knows_ = reader_knows_ || over_open_base || is_graph(*node_);
    if (reader_knows_) {
      step_unchecked();
    } else if (schema_ == "networks" || schema_ == "systems" || schema_ == "workloads" ||
               schema_ == "platforms") {
      const std::string one = schema_.substr(0, schema_.size() - 1);
      enter_named();
      schema_ = one;
    } else if (node_->kind == InputNode::Kind::list) {
      enter_element();
      schema_ = schema_ == "runs" ? "" : schema_ + "[]";
    } else {
      // If the schema has a list here, a single map may stand for it.
      if (next_keys().empty()) schema_ += "[]";
      enter_key();
    }
  }

  // The schema does not know the keys of a network that is a graph, nor those of maps whose declaration says
  // so. The readers of these maps refuse unknown keys.
  void step_unchecked() {
    if (node_->kind == InputNode::Kind::list) {
      enter_element();
      return;
    }
    if (node_->kind != InputNode::Kind::map && node_->kind != InputNode::Kind::null)
      reject(backquoted(path_) + " has no keys below it");
    std::vector<std::string_view> names;
    for (const InputName& name : node_->names) names.push_back(name.text);
    // The keys of a sweep are paths with dots.
    const bool has_paths = schema_ == "sweep.grid" || schema_ == "sweep.zip";
    if (!longest_prefix(names)) names = {has_paths ? rest_ : rest_.substr(0, rest_.find('.'))};
    enter_entry(names, "key");
  }

  bool is_open() const {
    const auto facts = std::ranges::find(*known_, schema_, &KeyPath::path);
    return facts != known_->end() && facts->facts->is_open;
  }

  // An entry of `networks` and the like.
  void enter_named() {
    std::vector<std::string_view> names;
    for (const InputName& name : node_->names) names.push_back(name.text);
    enter_entry(names, "name");
  }

  void enter_key() {
    const std::vector<std::string_view> known = next_keys();
    if (known.empty() || node_->kind == InputNode::Kind::list)
      reject(backquoted(path_) + " has no keys below it");
    if (node_->kind == InputNode::Kind::scalar && has(known, "base")) make_base();
    if (node_->kind == InputNode::Kind::scalar)
      reject(backquoted(path_) + " is " + backquoted(node_->text) +
             " here, which has no keys below it; set the keys of " + "the entry it names, or all of it");
    const std::string key = enter_entry(known, "key");
    schema_ += (schema_.empty() ? "" : ".") + key;
  }

  static bool has(std::span<const std::string_view> words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  // `platform: dgx-h100` is short for `platform: { base: dgx-h100 }`.
  void make_base() {
    InputNode map;
    map.kind = InputNode::Kind::map;
    map.where = node_->where;
    map.names.push_back({"base", node_->where});
    map.items.push_back(std::move(*node_));
    *node_ = std::move(map);
  }

  // Goes on to the entry of a map; makes it where it is missing.
  std::string enter_entry(std::span<const std::string_view> known, const char* what) {
    const std::optional<std::string_view> name = longest_prefix(known);
    if (!name) reject_unknown(known, what);
    take(*name);
    parent_ = node_;
    if (InputNode* value = node_->find(*name)) {
      node_ = value;
    } else {
      node_->kind = InputNode::Kind::map;
      node_->names.push_back({std::string(*name), where_});
      node_ = &node_->items.emplace_back();
      node_->where = where_;
    }
    return std::string(*name);
  }

  void enter_element() {
    parent_ = nullptr;
    if (node_->items.empty()) reject(backquoted(path_) + " is an empty list here; set all of it");
    std::vector<std::string_view> names;
    for (const InputNode& item : node_->items) {
      const InputNode* name = item.find("name");
      names.push_back(name ? std::string_view(name->text) : std::string_view());
    }
    if (const auto name = longest_prefix(names)) {
      take(*name);
      node_ = &node_->items[static_cast<std::size_t>(std::find(names.begin(), names.end(), *name) -
                                                     names.begin())];
      return;
    }
    const std::string_view first = rest_.substr(0, rest_.find('.'));
    const auto index = parse_unsigned(first);
    if (!index || *index >= names.size()) {
      std::erase(names, "");
      if (names.empty())
        reject(backquoted(path_) + " has elements 0 to " + std::to_string(node_->items.size() - 1));
      reject_unknown(names, "element");
    }
    take(first);
    node_ = &node_->items[*index];
  }

  // Keys that may follow schema_.
  std::vector<std::string_view> next_keys() {
    const std::string prefix = schema_.empty() ? "" : schema_ + ".";
    known_ = &keys_.below(schema_.substr(0, schema_.find_first_of(".[")));
    std::vector<std::string_view> next;
    for (const KeyPath& key : *known_) {
      if (!key.path.starts_with(prefix)) continue;
      const std::string_view below = std::string_view(key.path).substr(prefix.size());
      if (below.find_first_of(".[") == std::string_view::npos) next.push_back(below);
    }
    return next;
  }

  // Returns the longest word with which the rest of the path begins; names may hold dots.
  std::optional<std::string_view> longest_prefix(std::span<const std::string_view> words) const {
    std::optional<std::string_view> best;
    for (const std::string_view word : words) {
      const bool fits = !word.empty() && rest_.starts_with(word) &&
                        (rest_.size() == word.size() || rest_[word.size()] == '.');
      if (fits && (!best || word.size() > best->size())) best = word;
    }
    return best;
  }

  void take(std::string_view word) {
    path_ += (path_.empty() ? "" : ".") + std::string(word);
    rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
  }

  [[noreturn]] void reject_unknown(std::span<const std::string_view> known, const char* what) const {
    const std::string_view first = rest_.substr(0, rest_.find('.'));
    const std::string place = path_.empty() ? "the experiment" : backquoted(path_);
    if (known.empty()) reject(place + " has nothing to set below it");
    reject(place + " has no " + what + " " + backquoted(first) + "; it has " + alternatives(known));
  }
  [[noreturn]] void reject(const std::string& what) const { throw InputError(where_, what); }

  InputNode* node_;
  InputNode* parent_ = nullptr;  // the map whose entry the node is; null: it is none
  AskedKeys& keys_;
  const std::vector<KeyPath>* known_ = &keys_.below("");  // those that next_keys() speaks of
  const SourceLocation& where_;
  std::string_view rest_;      // of the path
  std::string path_;           // so far, as the user wrote it
  std::string schema_;         // so far, as experiment_file_keys() would write it
  bool reader_knows_ = false;  // which keys there are, and the schema does not
};

void move_to(const SourceLocation& where, InputNode& node) {
  node.where = where;
  for (InputName& name : node.names) name.where = where;
  for (InputNode& item : node.items) move_to(where, item);
}

}  // namespace

const std::vector<KeyPath>& AskedKeys::below(std::string_view first) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = known_.find(first); known != known_.end()) return known->second;
  }
  std::vector<KeyPath> keys = ask_(first);
  const std::unique_lock lock(mutex_);
  return known_.emplace(first, std::move(keys)).first->second;
}

void set_value(InputNode& document, std::string_view path, const SourceLocation& where, InputNode value,
               AskedKeys& keys) {
  Override(document, path, where, keys).apply(std::move(value));
}

void leave_out(InputNode& document, std::string_view path, const SourceLocation& where, AskedKeys& keys) {
  Override(document, path, where, keys).leave_out();
}

void apply_overrides(InputNode& document, const std::vector<std::string>& overrides,
                     const ExperimentKeys& keys) {
  AskedKeys asked(keys);
  for (const std::string& text : overrides) {
    const SourceLocation where{"--set " + text};
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(where, "write --set key=value, such as --set passes=2");
    InputNode value = parse_yaml(std::string_view(text).substr(equals + 1), where.file);
    move_to(where, value);
    set_value(document, std::string_view(text).substr(0, equals), where, std::move(value), asked);
  }
}

void choose_network_model(InputNode& document, std::string_view model) {
  constexpr std::string_view key = "network-model";
  const SourceLocation flag{"--network-model"};
  if (document.kind != InputNode::Kind::map) return;
  if (InputNode* const runs = document.find("runs"))
    for (InputNode& run : runs->items) erase_entry(run, key);
  erase_entry(document, key);
  document.names.push_back({std::string(key), flag});
  document.items.push_back({InputNode::Kind::scalar, std::string(model), {}, {}, flag});
}

}  // namespace orrery::core
