// A text is refused with an InputError, or read; what was read has parameters, and work for one rank.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/catalogue/transformer_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const Transformer model = read_transformer_file({reinterpret_cast<const char*>(data), size}, "input");
    if (transformer_parameters(model).total() < model.hidden) std::abort();
    for (const BlockKind kind :
         {BlockKind::embedding, BlockKind::layer, BlockKind::layer_with_experts, BlockKind::head})
      if (kind != BlockKind::layer_with_experts || model.moe)
        if (rank_block(kind, model, {}).forward.empty()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
