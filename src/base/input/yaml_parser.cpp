#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "base/input/input_tree_builder.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t max_copies = 200'000;  // and this many more for each value that is written
constexpr std::size_t copies_per_value = 16;

std::size_t levels_of(const InputNode& node) {
  if (node.kind != InputNode::Kind::list && node.kind != InputNode::Kind::map) return 0;
  std::size_t below = 0;
  for (const InputNode& item : node.items) below = std::max(below, levels_of(item));
  return below + 1;
}

// Receives the parser's events. yaml-cpp's own tree keeps duplicate keys silently and can hold cycles.
class YamlEvents final : public YAML::EventHandler {
 public:
  explicit YamlEvents(const std::string& file) : file_(file) {}

  InputNode take() { return tree_.take(); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add({InputNode::Kind::null, {}, {}, {}, place(mark)}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& text) override {
    add({InputNode::Kind::scalar, text, {}, {}, place(mark)}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw InputError(place(mark), "this alias stands inside the value it stands for");
    count_copies(found->second.nodes, place(mark));
    tree_.add(found->second.node, found->second.levels);
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
    YAML::anchor_t anchor;
    std::size_t nodes_before;
  };
  struct Anchored {
    InputNode node;
    std::size_t nodes, levels;
  };

  SourceLocation place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  // A document without aliases is as large as its text; only aliases can make a short text very large.
  void count_copies(std::size_t nodes, const SourceLocation& where) {
    const std::size_t written = nodes_ - copies_;
    nodes_ += nodes;
    copies_ += nodes;
    if (copies_ > max_copies && copies_ - max_copies > copies_per_value * written)
      throw InputError(where, "aliases stand for more than " + std::to_string(max_copies) +
                                  " values, and for " + std::to_string(copies_per_value) +
                                  " times as many as are written; use fewer");
  }

  void open(InputNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    tree_.open(kind, place(mark));
    open_.push_back({anchor, nodes_++});
  }

  void close() {
    const auto [anchor, nodes_before] = open_.back();
    open_.pop_back();
    const InputNode& node = tree_.close();
    if (anchor) anchors_[anchor] = {node, nodes_ - nodes_before, levels_of(node)};
  }

  void add(InputNode node, YAML::anchor_t anchor) {
    ++nodes_;
    if (anchor) anchors_[anchor] = {node, 1, 0};
    tree_.add(std::move(node));
  }

  std::string file_;
  InputTreeBuilder tree_{deepest};
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0, copies_ = 0;  // the latter counts those of aliases
};

}  // namespace

InputNode parse_yaml(std::string_view text, const std::string& file) {
  std::istringstream stream{std::string(text)};
  YamlEvents events(file);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(events);
    InputNode root = events.take();
    if (root.where.file.empty()) root.where.file = file;
    YamlEvents rest(file);
    if (parser.HandleNextDocument(rest))
      throw InputError(rest.take().where, "a second document begins here; a file holds one");
    return root;
  } catch (const YAML::Exception& error) {
    SourceLocation where{file};
    if (!error.mark.is_null()) where = {file, error.mark.line + 1, error.mark.column + 1};
    throw InputError(where, "this is not YAML: " + error.msg);
  }
}

}  // namespace orrery::core
