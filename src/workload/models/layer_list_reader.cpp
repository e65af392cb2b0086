#include "workload/models/layer_list_reader.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"
#include "base/input/node_reader.hpp"
#include "workload/models/layer_kinds.hpp"
#include "workload/models/layer_text.hpp"

namespace orrery::core {
namespace {

constexpr std::size_t max_listed_layers = 200'000;
constexpr std::size_t max_visits = 1'000'000;
constexpr int deepest_block = 32;
// The largest length of an edge and number of channels. Products of three of them and of a batch then stay
// within 64 bits until they are checked.
constexpr std::uint64_t largest_edge = 1ull << 24;

constexpr std::string_view join_words[] = {"add", "concatenate"};
constexpr std::string_view common_keys[] = {"name", "input",   "batch-norm",
                                            "relu", "forward", "input-gradient"};

constexpr std::string_view repeat_keys[] = {"repeat", "index", "recompute", "layers"};
constexpr std::string_view block_keys[] = {"parameters", "layers"};

constexpr std::array<EnumName<CollectiveKind>, 4> exchange_words{{
    {"all-reduce", CollectiveKind::all_reduce},
    {"reduce-scatter", CollectiveKind::reduce_scatter},
    {"all-gather", CollectiveKind::all_gather},
    {"all-to-all", CollectiveKind::all_to_all},
}};

// A tensor that enters a layer.
struct EnteringTensor {
  TensorShape shape;
  bool has_gradient = false;  // something that can learn came before
};

TensorShape shape_of(const LayerText& text, const InputNode& node) {
  if (node.kind != InputNode::Kind::list || node.items.empty() || node.items.size() > 3)
    reject_value(node, "input", "a list: channels, height and width, or features alone");
  TensorShape shape;
  std::uint64_t* const edges[] = {&shape.channels, &shape.height, &shape.width};
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    *edges[i] = text.count_of(node.items[i], "input", 1);
    if (*edges[i] > largest_edge) reject_value(node.items[i], "input", "at most 2^24");
  }
  checked_product(text, {shape.channels, shape.height, shape.width}, "the input");
  return shape;
}

LayerExchange exchange_of(const LayerText& text, std::string_view step) {
  const InputNode* node = text.find(step);
  if (!node) return {};
  require_map_of(*node, fmt::format("`{}`", step), words_of(exchange_words));
  if (node->items.size() != 1) reject_value(*node, step, "one collective and its elements");
  return {value_of(exchange_words, node->names[0].text),
          text.count_of(node->items[0], node->names[0].text, 1)};
}

class LayerListReader {
 public:
  LayerListReader(const InputNode& file, NeuralNetwork& network)
      : blocks_(file.find("blocks")), network_(network) {
    if (blocks_) require_map(*blocks_, "`blocks`");
    if (const InputNode* defaults = file.find("convolutions")) {
      require_map_of(*defaults, "`convolutions`", std::array<std::string_view, 2>{"batch-norm", "relu"});
      convolution_defaults_ = defaults;
    }
  }

  EnteringTensor read_list(const InputNode& list, const Parameters& parameters, EnteringTensor tensor) {
    if (list.kind != InputNode::Kind::list) reject_value(list, "layers", "a list of layers");
    for (const InputNode& node : list.items) {
      require_map(node, "a layer");
      if (++visited_ > max_visits) throw InputError(node.where, "the blocks of this model hold too much");
      const LayerText text(node, parameters);
      if (node.find("repeat")) {
        tensor = read_repeat(text, tensor);
      } else if (node.find("block")) {
        tensor = read_block(text, tensor);
      } else {
        tensor = read_layer(text, tensor);
      }
    }
    return tensor;
  }

 private:
  EnteringTensor read_repeat(const LayerText& text, EnteringTensor tensor) {
    require_map_of(text.node(), "a repetition", repeat_keys);
    const InputNode& layers = required(text.node(), "a repetition", "layers");
    const std::uint64_t times = text.number("repeat");
    const InputNode* index = text.find("index");
    Parameters parameters = text.parameters();
    for (std::uint64_t i = 1; i <= times; ++i) {
      if (index) parameters.insert_or_assign(scalar_of(*index, "index"), i);
      const std::size_t first = network_.layers.size();
      tensor = read_list(layers, parameters, tensor);
      if (first == network_.layers.size()) throw InputError(layers.where, "there is nothing to repeat");
      if (!text.flag("recompute", false)) continue;
      network_.checkpoints.push_back(network_.layers[first].name);
      network_.recomputed_at.push_back(network_.layers.back().name);
    }
    return tensor;
  }

  // A block's layers see the arguments, the file's parameters and those around it.
  EnteringTensor read_block(const LayerText& text, EnteringTensor tensor) {
    const InputNode& name = *text.find("block");
    const InputNode* block = blocks_ ? blocks_->find(scalar_of(name, "block")) : nullptr;
    if (!block) throw InputError(name.where, "there is no block " + backquoted(scalar_of(name, "block")));
    require_map_of(*block, "a block", block_keys);
    std::vector<std::string_view> known{"block"};
    if (const InputNode* names = block->find("parameters"))
      for (const InputNode& parameter : list_of(*names, "parameters"))
        known.push_back(scalar_of(parameter, "parameters"));
    require_map_of(text.node(), "a block", known);
    Parameters parameters = text.parameters();
    for (const std::string_view argument : std::span(known).subspan(1))
      parameters.insert_or_assign(
          std::string(argument),
          value_of_expression(required(text.node(), "this block", argument), argument, text.parameters()));
    if (++depth_ > deepest_block) throw InputError(name.where, "blocks stand within each other too deeply");
    tensor = read_list(required(*block, "a block", "layers"), parameters, tensor);
    --depth_;
    return tensor;
  }

  EnteringTensor read_layer(const LayerText& text, EnteringTensor tensor) {
    if (const InputNode* input = text.find("input")) {
      tensor = {shape_of(text, *input), false};
      chained_ = false;
    }
    for (const std::string_view join : join_words)
      if (text.find(join)) return follow(text, read_join(text, join, tensor), {});
    if (const auto word = follower(text.node())) return follow(text, tensor, *word);
    const LayerWord& kind = kind_of(text.node());
    if (kind.takes_input && tensor.shape.elements() == 0)
      throw InputError(text.where(),
                       "the shape that enters this layer is not known; give it or the model the key `input`");
    if (const InputNode* defaults = kind.word == "convolution" ? convolution_defaults_ : nullptr) {
      InputNode node = text.node();
      for (std::size_t i = 0; i < defaults->names.size(); ++i) {
        if (node.find(defaults->names[i].text)) continue;
        node.names.push_back(defaults->names[i]);
        node.items.push_back(defaults->items[i]);
      }
      return add_kind(LayerText(node, text.parameters()), kind, tensor);
    }
    return add_kind(text, kind, tensor);
  }

  EnteringTensor add_kind(const LayerText& text, const LayerWord& kind, const EnteringTensor& tensor) {
    NetworkLayer layer = kind.make(text, tensor.shape);
    const bool sized = kind.takes_input || layer.output.elements() > 0;  // else the shape passes by
    const TensorShape output = sized ? layer.output : tensor.shape;
    layer.has_input_gradient &= !kind.takes_input || tensor.has_gradient;
    layer.forward = exchange_of(text, "forward");
    layer.input_gradient = exchange_of(text, "input-gradient");
    const bool learns = layer.weights > 0 || tensor.has_gradient;
    add(std::move(layer), kind.word, &text);
    return follow(text, {output, learns}, {});
  }

  EnteringTensor read_join(const LayerText& text, std::string_view word, const EnteringTensor& tensor) {
    std::vector<std::string_view> known(std::begin(common_keys), std::end(common_keys));
    known.push_back(word);
    require_map_of(text.node(), "a layer", known);
    std::vector<TensorShape> shapes;
    bool has_gradient = false;
    ++branches_;
    for (const InputNode& branch : list_of(*text.find(word), word)) {
      chained_ = false;
      const EnteringTensor end = read_list(branch, text.parameters(), tensor);
      if (end.shape.elements() == 0) throw InputError(branch.where, "the shape of this branch is not known");
      shapes.push_back(end.shape);
      has_gradient |= end.has_gradient;
    }
    --branches_;
    NetworkLayer layer = word == "add" ? addition_of(shapes, text.batch(), text.where())
                                       : concatenation_of(shapes, text.batch(), text.where());
    layer.has_input_gradient = has_gradient;
    chained_ = false;
    const TensorShape output = layer.output;
    add(std::move(layer), word, &text);
    return {output, has_gradient};
  }

  // Returns the word of a layer that is nothing but `batch-norm: true` or `relu: true`.
  static std::optional<std::string_view> follower(const InputNode& node) {
    if (node.items.size() != 1) return {};
    if (node.names[0].text == "batch-norm" || node.names[0].text == "relu") return node.names[0].text;
    return {};
  }

  // Adds the layers that a layer asks for behind it.
  EnteringTensor follow(const LayerText& text, EnteringTensor tensor, std::string_view alone) {
    if (!alone.empty() && tensor.shape.elements() == 0)
      throw InputError(text.where(), "the shape that enters this layer is not known");
    if (text.flag("batch-norm", false)) {
      add(batch_norm_after(tensor.shape, text.batch(), text.where()), "batch-norm", nullptr);
      network_.layers.back().has_input_gradient = tensor.has_gradient;
      tensor.has_gradient = true;
    }
    if (text.flag("relu", false)) {
      add(relu_after(tensor.shape, text.batch(), text.where()), "relu", nullptr);
      network_.layers.back().has_input_gradient = tensor.has_gradient;
    }
    return tensor;
  }

  static const LayerWord& kind_of(const InputNode& node) {
    std::vector<std::string_view> words(std::begin(join_words), std::end(join_words));
    for (const LayerWord& kind : layer_words()) words.push_back(kind.word);
    for (const LayerWord& kind : layer_words()) {
      if (!node.find(kind.word)) continue;
      std::vector<std::string_view> known(kind.keys.begin(), kind.keys.end());
      known.push_back(kind.word);
      known.insert(known.end(), std::begin(common_keys), std::end(common_keys));
      require_map_of(node, "a layer", known);
      return kind;
    }
    const std::string hint = node.names.empty() ? std::string() : suggestion(node.names[0].text, words);
    throw InputError(node.where, "a layer has to say what it is" + hint + "; it needs one of the keys " +
                                     alternatives(words));
  }

  // Names the layer as the file does, or by its kind and number if the file has no name for it.
  void add(NetworkLayer layer, std::string_view word, const LayerText* text) {
    if (network_.layers.size() == max_listed_layers)
      throw InputError(layer.where, fmt::format("the model has more than {} layers", max_listed_layers));
    const InputNode* name = text ? text->find("name") : nullptr;
    layer.name = name ? with_values(*name, "name", text->parameters())
                      : fmt::format("{}{}", word, ++numbers_[std::string(word)]);
    if (name && (layer.name.empty() || layer.name.find_first_of(" ,\"") != std::string::npos ||
                 !is_printable(layer.name)))
      reject_value(*name, "name", "a word without blanks, commas, quotes and control characters");
    if (!names_.insert(layer.name).second)
      throw InputError(layer.where, "there are two layers " + backquoted(layer.name) +
                                        "; put an index into the name, such as `name: conv{i}`");
    layer.in_branch = branches_ > 0;
    layer.follows_previous = std::exchange(chained_, true);
    network_.layers.push_back(std::move(layer));
  }

  const InputNode* blocks_;
  const InputNode* convolution_defaults_ = nullptr;
  NeuralNetwork& network_;
  bool chained_ = false;  // the next layer takes the output of the last one, and nothing else
  std::map<std::string, int> numbers_;
  std::unordered_set<std::string> names_;
  int depth_ = 0;
  int branches_ = 0;         // around the layer at hand
  std::size_t visited_ = 0;  // elements of lists, which blocks without layers could make endless
};

}  // namespace

std::vector<std::string_view> layer_list_keys() {
  std::vector<std::string_view> keys{"block"};
  const auto add = [&](std::span<const std::string_view> more) {
    std::ranges::copy(more, std::back_inserter(keys));
  };
  add(repeat_keys);
  add(block_keys);
  add(join_words);
  add(common_keys);
  for (const LayerWord& kind : layer_words()) {
    keys.push_back(kind.word);
    add(kind.keys);
  }
  return keys;
}

void read_layers(const InputNode& file, const Parameters& parameters, NeuralNetwork& network) {
  const LayerText text(file, parameters);
  if (const InputNode* input = file.find("input")) network.input = shape_of(text, *input);
  const InputNode& layers = required(file, "a model", "layers");
  list_of(layers, "layers");
  LayerListReader(file, network).read_list(layers, parameters, {network.input, false});
  if (network.layers.empty()) throw InputError(layers.where, "the model has no layers");
}

}  // namespace orrery::core
