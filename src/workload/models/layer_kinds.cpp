#include "workload/models/layer_kinds.hpp"

#include <array>

#include <fmt/format.h>

namespace orrery::core {
namespace {

using KeyNames = std::span<const std::string_view>;

std::string described(const TensorShape& shape) {
  return fmt::format("{} x {} x {}", shape.channels, shape.height, shape.width);
}

std::uint64_t elements_of(const TensorShape& shape, std::uint64_t batch, const SourceLocation& where) {
  return checked_product({batch, shape.channels, shape.height, shape.width}, "the elements of this layer",
                         where);
}

NetworkLayer layer_of(LayerKind kind, const TensorShape& input, const TensorShape& output,
                      const SourceLocation& where) {
  NetworkLayer layer;
  layer.kind = kind;
  layer.input = input;
  layer.output = output;
  layer.where = where;
  return layer;
}

// Makes a layer that reads its input once and writes its output once.
NetworkLayer pass_over(LayerKind kind, const TensorShape& input, const TensorShape& output,
                       double flops_per_output, std::uint64_t batch, const SourceLocation& where) {
  NetworkLayer layer = layer_of(kind, input, output, where);
  const std::uint64_t read = elements_of(input, batch, where), written = elements_of(output, batch, where);
  layer.work = Elementwise{flops_per_output * double(written), read, written};
  return layer;
}

NetworkLayer same_shape(LayerKind kind, const LayerText& text, const TensorShape& input, double flops) {
  return pass_over(kind, input, input, flops, text.batch(), text.where());
}

struct Window {
  LayerText::Pair size, stride, pad;
};

// Returns the shape that results when a window moves over the input.
TensorShape moved_over(const TensorShape& input, const Window& w, std::uint64_t channels,
                       const SourceLocation& where) {
  const auto along = [&](std::uint64_t size, std::uint64_t window, std::uint64_t stride, std::uint64_t pad) {
    if (pad >= window || window > size + 2 * pad)
      throw InputError(where,
                       fmt::format("a window of {} x {} with a padding of {} x {} does not fit the input, "
                                   "which is {} (channels x height x width)",
                                   w.size.height, w.size.width, w.pad.height, w.pad.width, described(input)));
    return (size + 2 * pad - window) / stride + 1;
  };
  return {channels, along(input.height, w.size.height, w.stride.height, w.pad.height),
          along(input.width, w.size.width, w.stride.width, w.pad.width)};
}

constexpr std::string_view convolution_keys[] = {"kernel", "stride", "pad", "groups", "bias"};

NetworkLayer convolution(const LayerText& text, const TensorShape& input) {
  const std::uint64_t filters = text.number("convolution"), groups = text.number("groups", 1);
  const Window window{text.pair("kernel", {1, 1}), text.pair("stride", {1, 1}), text.pair("pad", {0, 0}, 0)};
  if (input.channels % groups != 0 || filters % groups != 0)
    throw InputError(text.where(), fmt::format("{} groups cannot share {} channels and {} filters evenly",
                                               groups, input.channels, filters));
  NetworkLayer layer =
      layer_of(LayerKind::convolution, input, moved_over(input, window, filters, text.where()), text.where());
  elements_of(layer.output, text.batch(), text.where());
  layer.work = Convolution{.height = input.height,
                           .width = input.width,
                           .channels = input.channels,
                           .filters = filters,
                           .filter_height = window.size.height,
                           .filter_width = window.size.width,
                           .stride_height = window.stride.height,
                           .stride_width = window.stride.width,
                           .pad_height = window.pad.height,
                           .pad_width = window.pad.width,
                           .groups = groups,
                           .batch = text.batch()};
  layer.weights = checked_product(
      text, {filters, input.channels / groups, window.size.height, window.size.width}, "the weights");
  layer.biases = text.flag("bias", !text.flag("batch-norm", false)) ? filters : 0;
  return layer;
}

constexpr std::string_view bias_keys[] = {"bias"};

NetworkLayer fully_connected(const LayerText& text, const TensorShape& input) {
  NetworkLayer layer =
      layer_of(LayerKind::fully_connected, input, {text.number("fully-connected")}, text.where());
  const std::uint64_t features = layer.output.channels;
  elements_of(layer.output, text.batch(), text.where());
  layer.work = Gemm{text.batch(), features, input.elements()};
  layer.weights = checked_product(text, {features, input.elements()}, "the weights");
  layer.biases = text.flag("bias", true) ? features : 0;
  return layer;
}

constexpr std::string_view gemm_keys[] = {"products", "causal", "weights"};

// gemm: [m, n, k], of the whole batch
NetworkLayer gemm(const LayerText& text, const TensorShape&) {
  const InputNode& sizes = *text.find("gemm");
  if (sizes.kind != InputNode::Kind::list || sizes.items.size() != 3)
    reject_value(sizes, "gemm", "a list of three sizes: rows, columns and inner size");
  const auto size = [&](int i) { return text.count_of(sizes.items[i], "gemm", 1); };
  NetworkLayer layer = layer_of(LayerKind::gemm, {}, {}, text.where());
  const Gemm work{size(0), size(1), size(2), text.number("products", 1)};
  checked_product(text, {work.m, work.n, work.batch}, "the output");
  if (text.flag("causal", false)) layer.executed = 0.5;
  if (text.flag("weights", true))
    layer.weights = checked_product(text, {work.n, work.k, work.batch}, "the weights");
  layer.work = work;
  return layer;
}

NetworkLayer operations(const LayerText& text, const TensorShape&) {
  NetworkLayer layer = layer_of(LayerKind::operations, {}, {}, text.where());
  layer.work = Elementwise{double(text.number("operations")), 0, 0};
  return layer;
}

constexpr std::string_view embedding_keys[] = {"rows", "width", "pooling"};

// embedding: tables; each gives the sum of `pooling` of its rows.
NetworkLayer embedding(const LayerText& text, const TensorShape&) {
  const std::uint64_t tables = text.number("embedding"), width = text.number("width");
  const std::uint64_t pooling = text.number("pooling", 1);
  NetworkLayer layer = layer_of(LayerKind::embedding, {},
                                {checked_product(text, {tables, width}, "the output")}, text.where());
  const std::uint64_t written = elements_of(layer.output, text.batch(), text.where());
  const std::uint64_t read = checked_product(text, {written, pooling}, "the rows looked up");
  layer.work = Elementwise{double(read), read, written};
  layer.weights = checked_product(text, {tables, text.number("rows"), width}, "the tables");
  layer.has_input_gradient = false;
  return layer;
}

// interaction: width of a vector. When v vectors come in, the first one and v (v - 1) / 2 dot products go
// out.
NetworkLayer interaction(const LayerText& text, const TensorShape& input) {
  const std::uint64_t width = text.number("interaction"), elements = input.elements();
  if (elements % width != 0)
    throw InputError(text.where(),
                     fmt::format("the input of {} elements is no number of vectors of {}", elements, width));
  const std::uint64_t vectors = elements / width;
  checked_product(text, {vectors, vectors, text.batch()}, "the dot products");
  NetworkLayer layer =
      layer_of(LayerKind::interaction, input, {width + vectors * (vectors - 1) / 2}, text.where());
  layer.work = Gemm{vectors, vectors, width, text.batch()};
  return layer;
}

constexpr std::string_view window_keys[] = {"stride", "pad"};

NetworkLayer pooled(const LayerText& text, const TensorShape& input, std::string_view key) {
  const InputNode& value = *text.find(key);
  Window window{{input.height, input.width}, {1, 1}, {0, 0}};
  if (value.kind != InputNode::Kind::scalar || value.text != "all") {
    window.size = text.pair(key, {1, 1});
    window.stride = text.pair("stride", window.size);
    window.pad = text.pair("pad", {0, 0}, 0);
  }
  return pass_over(LayerKind::pooling, input, moved_over(input, window, input.channels, text.where()),
                   double(window.size.height) * double(window.size.width), text.batch(), text.where());
}

NetworkLayer max_pool(const LayerText& text, const TensorShape& input) {
  return pooled(text, input, "max-pool");
}

NetworkLayer average_pool(const LayerText& text, const TensorShape& input) {
  return pooled(text, input, "average-pool");
}

NetworkLayer lrn(const LayerText& text, const TensorShape& input) {
  return same_shape(LayerKind::lrn, text, input, 2 * double(text.number("lrn")) + 3);
}

NetworkLayer dropout(const LayerText& text, const TensorShape& input) {
  real_of(*text.find("dropout"), "dropout", 0, 1);
  return same_shape(LayerKind::dropout, text, input, 1);
}

NetworkLayer softmax(const LayerText& text, const TensorShape& input) {
  text.flag("softmax", true);
  return same_shape(LayerKind::softmax, text, input, 5);
}

constexpr std::string_view shortcut_keys[] = {"channels"};

// shortcut: stride; channels of zeros fill up to `channels`.
NetworkLayer shortcut(const LayerText& text, const TensorShape& input) {
  const std::uint64_t stride = text.number("shortcut"), channels = text.number("channels", input.channels);
  if (channels < input.channels)
    throw InputError(text.where(), fmt::format("a shortcut adds channels: {} come in, `channels` is {}",
                                               input.channels, channels));
  const TensorShape output = moved_over(input, {{1, 1}, {stride, stride}, {0, 0}}, channels, text.where());
  return pass_over(LayerKind::shortcut, input, output, 0, text.batch(), text.where());
}

constexpr LayerWord kinds_by_word[] = {
    {"convolution", convolution_keys, convolution},
    {"fully-connected", bias_keys, fully_connected},
    {"gemm", gemm_keys, gemm, false},
    {"operations", {}, operations, false},
    {"embedding", embedding_keys, embedding, false},
    {"interaction", {}, interaction},
    {"max-pool", window_keys, max_pool},
    {"average-pool", window_keys, average_pool},
    {"lrn", {}, lrn},
    {"dropout", {}, dropout},
    {"softmax", {}, softmax},
    {"shortcut", shortcut_keys, shortcut},
};

}  // namespace

std::span<const LayerWord> layer_words() {
  return kinds_by_word;
}

NetworkLayer batch_norm_after(const TensorShape& input, std::uint64_t batch, const SourceLocation& where) {
  NetworkLayer layer = pass_over(LayerKind::batch_norm, input, input, 4, batch, where);
  auto& work = std::get<Elementwise>(layer.work);
  work.elements_read *= 2;  // once for the mean and variance, once to apply them
  layer.biases = 2 * input.channels;
  return layer;
}

NetworkLayer relu_after(const TensorShape& input, std::uint64_t batch, const SourceLocation& where) {
  return pass_over(LayerKind::relu, input, input, 1, batch, where);
}

NetworkLayer addition_of(std::span<const TensorShape> branches, std::uint64_t batch,
                         const SourceLocation& where) {
  for (const TensorShape& shape : branches)
    if (shape != branches[0])
      throw InputError(where, fmt::format("branches of {} and {} (channels x height x width) cannot be added",
                                          described(branches[0]), described(shape)));
  NetworkLayer layer =
      pass_over(LayerKind::addition, branches[0], branches[0], double(branches.size() - 1), batch, where);
  std::get<Elementwise>(layer.work).elements_read *= branches.size();
  return layer;
}

NetworkLayer concatenation_of(std::span<const TensorShape> branches, std::uint64_t batch,
                              const SourceLocation& where) {
  TensorShape joined = branches[0];
  for (const TensorShape& shape : branches.subspan(1)) {
    if (shape.height != joined.height || shape.width != joined.width)
      throw InputError(where,
                       fmt::format("branches of {} and {} (channels x height x width) cannot be joined; "
                                   "height and width have to be the same",
                                   described(branches[0]), described(shape)));
    joined.channels += shape.channels;
  }
  return pass_over(LayerKind::concatenation, joined, joined, 0, batch, where);
}

}  // namespace orrery::core
