#include "workload/transformer/transformer_check.hpp"

#include <fmt/format.h>

namespace orrery::core {
namespace {

void check_experts(const Transformer& model, const TransformerPlaces& where) {
  const MixtureOfExperts& moe = *model.moe;
  if (moe.experts_per_token > moe.experts)
    throw InputError(where("experts-per-token"),
                     fmt::format("a token cannot pass {} of {} experts; choose at most {}",
                                 moe.experts_per_token, moe.experts, moe.experts));
  if (moe.dense_layers > model.layers)
    throw InputError(where("dense-layers"), fmt::format("{} dense layers are more than the {} there are",
                                                        moe.dense_layers, model.layers));
}

}  // namespace

void complete_transformer(Transformer& model, const TransformerPlaces& where) {
  if (model.kv_heads == 0) model.kv_heads = model.heads;
  if (model.heads % model.kv_heads != 0)
    throw InputError(
        where("kv-heads"),
        fmt::format("{} heads cannot share {} heads of keys and values evenly; choose a divisor of {}",
                    model.heads, model.kv_heads, model.heads));
  if (model.head_width == 0) {
    if (model.hidden % model.heads != 0)
      throw InputError(
          where("heads"),
          fmt::format("{} heads do not divide the hidden size {}; choose a divisor, or say `head-width`",
                      model.heads, model.hidden));
    model.head_width = model.hidden / model.heads;
  }
  if (model.ffn == 0) model.ffn = 4 * model.hidden;
  if (model.embedding_width == model.hidden) model.embedding_width = 0;  // no products lead from and to it
  if (model.norm_place == NormPlace::behind && model.norms_per_layer != 2)
    throw InputError(where("norms-per-layer"),
                     "norms behind the sums are two in a layer; leave it out, or `norm-place`");
  if (model.latent && model.biases.qkv)
    throw InputError(where("biases"),
                     "with latent attention no bias is added to queries, keys and values; leave `qkv` out");
  if (model.latent && model.query_key_norm)
    throw InputError(where("query-key-norm"),
                     "latent attention has norms of its own, of its low-rank vectors; leave it out");
  if (model.latent && model.latent->rotary_width >= model.head_width)
    throw InputError(where("rotary-width"),
                     fmt::format("`rotary-width` is a part of `head-width`, so it has to be below {}, not {}",
                                 model.head_width, model.latent->rotary_width));
  if (model.latent && model.kv_heads != model.heads)
    throw InputError(where("kv-heads"),
                     fmt::format("with latent attention every head has keys and values of its own; "
                                 "use {}, or leave it out",
                                 model.heads));
  if (model.moe) check_experts(model, where);
}

}  // namespace orrery::core
