// A text is refused with an InputError, or read; what was read has parameters, and work for one rank.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/huggingface/huggingface_config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    Warnings warnings;
    const Transformer model =
        read_huggingface_config({reinterpret_cast<const char*>(data), size}, "input", warnings);
    if (transformer_parameters(model).total() < model.hidden) std::abort();
    const BlockKind layer = model.moe ? BlockKind::layer_with_experts : BlockKind::layer;
    if (rank_block(layer, model, {}).backward.empty()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
