// Encoders, whose tokens see the whole sequence.
#include "workload/transformer/huggingface/huggingface_readers.hpp"
#include "workload/transformer/transformer_check.hpp"

namespace orrery::core::huggingface {

// The configuration says nothing about training: words are hidden, and the next sentence is told, as in the
// paper on BERT. As a decoder, it has neither.
Transformer bert(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model;
  model.kv_heads = model.head_width = 0;  // that is, as usual
  model.layers = keys.size("num_hidden_layers", max_layers, usual.layers);
  model.hidden = keys.size("hidden_size", widest_layer, usual.hidden);
  model.heads = keys.size("num_attention_heads", max_heads, usual.heads);
  model.ffn = keys.size("intermediate_size", widest_layer, usual.ffn);
  model.sequence = model.positions = keys.size("max_position_embeddings", longest_sequence, usual.sequence);
  model.token_types = keys.count_or("type_vocab_size", largest_vocabulary, 2);
  model.activation = activation_of(keys, "hidden_act", Activation::gelu);
  model.dropout = keys.share("hidden_dropout_prob");
  model.tied_embeddings = keys.flag("tie_word_embeddings", usual.tied);
  model.biases = {true, true, true, true, false, true};
  model.embedding_norm = true;
  model.final_norm = false;
  model.norm_place = NormPlace::behind;
  model.causal = keys.flag("is_decoder", false);
  constexpr std::uint64_t next_sentence = 2;
  model.masked = MaskedHead{.transform = true, .classes = model.causal ? 0 : next_sentence};
  return model;
}

}  // namespace orrery::core::huggingface
