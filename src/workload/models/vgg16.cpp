#include "workload/models/vgg16.hpp"

#include <array>
#include <string>
#include <utility>

#include "workload/models/layer_cost.hpp"

namespace orrery {
namespace {

constexpr int kernel = 3;  // every convolution is 3 x 3, stride 1, and keeps the image's size
constexpr int image_channels = 3;
constexpr int hidden_features = 4096;

struct ConvolutionBlock {  // ends with a 2 x 2 pooling
  int convolutions;
  int channels;
};
constexpr std::array<ConvolutionBlock, 5> blocks{{{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}}};

void check(const Vgg16Options& options) {
  const auto require = [&](bool good, const char* what) {
    if (!good) throw InputError(options.where, what);
  };
  require(options.batch >= 1, "the batch has to be at least 1");
  require(options.image_size >= 32 && options.image_size % 32 == 0,
          "VGG-16 halves the image five times, so image-size has to be a multiple of 32");
  require(options.image_size <= 32768, "image-size has to be at most 32768");
  require(options.classes >= 1, "classes has to be at least 1");
}

class Vgg16Builder {
 public:
  explicit Vgg16Builder(const Vgg16Options& options)
      : options_(options), cost_(options.flops_per_second, options.bytes_per_element, options.where) {
    table_.policy = TrainingPolicy::data;
    table_.where = options.where;
  }

  // One filter of `weights_per_output` weights and a bias per output channel, applied at `positions` places.
  void add(const std::string& name, double weights_per_output, int outputs, double positions) {
    const double weights = weights_per_output * outputs;
    const LayerStep step{cost_.time(2 * weights * positions * options_.batch), {}, false, {}};
    Layer layer{name, step, step, step, Time::from_ns(1), {}, options_.where};
    layer.weight_gradient.collective = CollectiveKind::all_reduce;
    layer.weight_gradient.size = cost_.bytes(weights + outputs);
    table_.layers.push_back(layer);
  }

  LayerTable take() { return std::move(table_); }

 private:
  const Vgg16Options& options_;
  LayerCost cost_;
  LayerTable table_;
};

}  // namespace

LayerTable vgg16(const Vgg16Options& options) {
  check(options);
  Vgg16Builder builder(options);
  int channels = image_channels;
  int edge = options.image_size;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (int c = 1; c <= blocks[b].convolutions; ++c) {
      const std::string name = "block" + std::to_string(b + 1) + "_conv" + std::to_string(c);
      builder.add(name, kernel * kernel * channels, blocks[b].channels, double(edge) * edge);
      channels = blocks[b].channels;
    }
    edge /= 2;
  }
  builder.add("fc1", double(edge) * edge * channels, hidden_features, 1);
  builder.add("fc2", hidden_features, hidden_features, 1);
  builder.add("predictions", hidden_features, options.classes, 1);
  return builder.take();
}

}  // namespace orrery
