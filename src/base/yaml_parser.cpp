#include "base/input_node.hpp"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/words.hpp"

namespace orrery {

namespace {

template <class Node>
auto find_in(Node& map, std::string_view name) {
  for (std::size_t i = 0; i < map.names.size(); ++i)
    if (map.names[i].text == name) return &map.items[i];
  return decltype(&map.items[0])();
}

constexpr std::size_t deepest = 64;
constexpr std::size_t most_copies = 200'000;  // and so many more of each value that is written
constexpr std::size_t copies_per_value = 16;

// Builds the tree from the parser's events. yaml-cpp's own tree keeps duplicate keys silently and can hold
// cycles.
class YamlTreeBuilder final : public YAML::EventHandler {
 public:
  explicit YamlTreeBuilder(const std::string& file) : file_(file) {}

  InputNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    ++nodes_;
    add({InputNode::Kind::null, {}, {}, {}, place(mark)}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& text) override {
    ++nodes_;
    add({InputNode::Kind::scalar, text, {}, {}, place(mark)}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw InputError(place(mark), "this alias stands inside the value it stands for");
    count_copies(found->second.nodes, place(mark));
    if (open_.size() + found->second.levels > deepest) reject_depth(place(mark));
    add(found->second.node, 0, found->second.levels);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(InputNode::Kind::list, mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(InputNode::Kind::map, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    InputNode node;
    YAML::anchor_t anchor;
    std::size_t nodes_before;
    std::size_t levels = 1;         // levels of nesting, this one included
    std::optional<InputName> name;  // key of the map's entry whose value comes next
    std::set<std::string> names = {};
  };
  struct Anchored {
    InputNode node;
    std::size_t nodes, levels;
  };

  SourceLocation place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  [[noreturn]] static void reject_depth(const SourceLocation& where) {
    throw InputError(where, "nested deeper than " + std::to_string(deepest) + " levels");
  }

  // A document without aliases is as large as its text; only aliases can make a short text very large.
  void count_copies(std::size_t nodes, const SourceLocation& where) {
    const std::size_t written = nodes_ - copies_;
    nodes_ += nodes;
    copies_ += nodes;
    if (copies_ > most_copies && copies_ - most_copies > copies_per_value * written)
      throw InputError(where, "aliases stand for more than " + std::to_string(most_copies) +
                                  " values, and for " + std::to_string(copies_per_value) +
                                  " times as many as are written; use fewer");
  }

  void open(InputNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (open_.size() == deepest) reject_depth(place(mark));
    const std::size_t nodes_before = nodes_;
    ++nodes_;
    open_.push_back({{kind, {}, {}, {}, place(mark)}, anchor, nodes_before, 1, {}, {}});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.anchor) anchors_[closed.anchor] = {closed.node, nodes_ - closed.nodes_before, closed.levels};
    add(std::move(closed.node), 0, closed.levels);
  }

  void add(InputNode node, YAML::anchor_t anchor, std::size_t levels = 0) {
    if (anchor) anchors_[anchor] = {node, 1, 0};
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    parent.levels = std::max(parent.levels, levels + 1);
    if (parent.node.kind == InputNode::Kind::map && !parent.name) {
      set_name(parent, node);
      return;
    }
    if (parent.name) parent.node.names.push_back(*std::exchange(parent.name, {}));
    parent.node.items.push_back(std::move(node));
  }

  void set_name(Open& map, const InputNode& node) {
    if (node.kind != InputNode::Kind::scalar) throw InputError(node.where, "a key has to be a word");
    if (!map.names.insert(node.text).second)
      throw InputError(node.where,
                       "the key " + backquoted(node.text) + " stands twice in this map; remove one");
    map.name = {node.text, node.where};
  }

  std::string file_;
  InputNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0, copies_ = 0;  // the latter those of aliases
};

}  // namespace

const InputNode* InputNode::find(std::string_view name) const {
  return find_in(*this, name);
}

InputNode* InputNode::find(std::string_view name) {
  return find_in(*this, name);
}

InputNode parse_yaml(std::string_view text, const std::string& file) {
  std::istringstream stream{std::string(text)};
  YamlTreeBuilder builder(file);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    InputNode root = builder.take();
    if (root.where.file.empty()) root.where.file = file;
    YamlTreeBuilder rest(file);
    if (parser.HandleNextDocument(rest))
      throw InputError(rest.take().where, "a second document begins here; a file holds one");
    return root;
  } catch (const YAML::Exception& error) {
    SourceLocation where{file};
    if (!error.mark.is_null()) where = {file, error.mark.line + 1, error.mark.column + 1};
    throw InputError(where, "this is not YAML: " + error.msg);
  }
}

}  // namespace orrery
