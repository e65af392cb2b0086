#include "workload/transformer/huggingface/huggingface_readers.hpp"

namespace orrery::core::huggingface {

Transformer arcee(const Reading& config) {
  Transformer model = llama(config);
  model.gated = false;
  model.activation = activation_of(config.keys, "hidden_act", Activation::squared_relu);
  return model;
}

Transformer apertus(const Reading& config) {
  Transformer model = qwen3(config);
  model.gated = false;
  model.activation = activation_of(config.keys, "hidden_act", Activation::gelu);
  return model;
}

Transformer bitnet(const Reading& config) {
  Transformer model = llama(config);
  model.activation = activation_of(config.keys, "hidden_act", Activation::squared_relu);
  config.warnings.add(
      config.keys.where("model_type"),
      "norms inside attention and MLP, before the last product of each, are not modelled: none "
      "are counted");
  return model;
}

}  // namespace orrery::core::huggingface
