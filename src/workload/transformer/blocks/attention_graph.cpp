// Attention: grouped queries, or latent.
#include <algorithm>
#include <optional>

#include "workload/transformer/blocks/sharded_graph_builder.hpp"

namespace orrery::core {
namespace {

// The dimensions of heads. A head of keys and values serves `group` heads of queries. If there are fewer
// heads of keys and values than ranks that share them, they are copied, and the copies count as heads of
// their own.
struct HeadDims {
  Dim heads, group, width, value_width, keys;

  explicit HeadDims(ShardedGraphBuilder& b) {
    const bool by_context = b.plan.context_exchange == ContextExchange::all_to_all;
    const std::uint64_t sharers = b.plan.tensor * (by_context ? b.plan.context : 1);
    const std::uint64_t kv_heads = std::max(b.model.kv_heads, sharers);
    heads = b.graph.dimension("heads", kv_heads);
    group = b.graph.dimension("queries per key", b.model.heads / kv_heads);
    const std::uint64_t rotary = b.model.latent ? b.model.latent->rotary_width : 0;
    width = b.graph.dimension("head", b.model.head_width - rotary);
    value_width = b.graph.dimension("value", b.model.value_width());
    keys = b.graph.dimension("keys", b.plan.seen > 0 ? b.plan.seen : b.model.sequence);
  }
};

// The operands of attention: parts of queries with the parts of keys that belong to them, and values.
struct Operands {
  std::vector<TensorId> queries, keys;
  TensorId values;
};

TensorId grouped_product(ShardedGraphBuilder& b, const std::string& name, const std::string& group,
                         TensorId tokens, TensorId weight, std::vector<Dim> result) {
  const TensorId id = b.graph.product(name, {tokens, weight}, std::move(result));
  b.graph.last().group = group;
  return id;
}

TensorId rotary(ShardedGraphBuilder& b, const std::string& name, TensorId id) {
  const TensorId turned = b.graph.pointwise(name, {id}, {3, 1, 1, 3, 1, 1});
  b.graph.last().group = "rotary";
  b.graph.last().pointwise = PointwiseKind::rotary;
  return turned;
}

Operands grouped_queries(ShardedGraphBuilder& b, TensorId normed, const HeadDims& d) {
  const TensorId tokens = b.gathered(normed);
  const std::vector<Dim> query_dims{b.batch, b.sequence, d.heads, d.group, d.width};
  const std::vector<Dim> key_dims{b.batch, b.sequence, d.heads, d.width};
  const std::vector<Dim> value_dims{b.batch, b.sequence, d.heads, d.value_width};
  const TensorId wq = b.weight("query weight", {b.hidden, d.heads, d.group, d.width}, d.heads);
  const TensorId wk = b.weight("key weight", {b.hidden, d.heads, d.width}, d.heads);
  const TensorId wv = b.weight("value weight", {b.hidden, d.heads, d.value_width}, d.heads);
  TensorId q = grouped_product(b, "query", "qkv", tokens, wq, query_dims);
  TensorId k = grouped_product(b, "key", "qkv", tokens, wk, key_dims);
  TensorId v = grouped_product(b, "value", "qkv", tokens, wv, value_dims);
  if (b.model.biases.qkv) {
    q = b.with_bias(q, "query", {d.heads, d.group, d.width}, true, d.heads);
    k = b.with_bias(k, "key", {d.heads, d.width}, true, d.heads);
    v = b.with_bias(v, "value", {d.heads, d.value_width}, true, d.heads);
  }
  if (b.model.query_key_norm) {
    q = b.norm("query norm", q, d.width);
    k = b.norm("key norm", k, d.width);
  }
  if (b.model.rotary) {
    q = rotary(b, "query rotary", q);
    k = rotary(b, "key rotary", k);
  }
  return {{q}, {k}, v};
}

// Makes queries, and keys with values, from vectors of low rank. A part of the keys is the same for all
// heads.
Operands latent_operands(ShardedGraphBuilder& b, TensorId normed, const HeadDims& d) {
  const LatentAttention& latent = *b.model.latent;
  const Dim kv_rank = b.graph.dimension("kv rank", latent.kv_rank);
  const Dim turned = b.graph.dimension("rotary", std::max<std::uint64_t>(latent.rotary_width, 1));
  const bool has_rotary = latent.rotary_width > 0;
  Dim query_rank = b.hidden;
  TensorId queries = normed;
  if (latent.query_rank > 0) {
    query_rank = b.graph.dimension("query rank", latent.query_rank);
    queries = b.graph.product("query down", {normed, b.weight("query down weight", {b.hidden, query_rank})},
                              {b.batch, b.sequence, query_rank});
    queries = b.norm("query norm", queries, query_rank);
  }
  queries = b.gathered(queries);
  const TensorId wq = b.weight("query weight", {query_rank, d.heads, d.group, d.width}, d.heads);
  Operands operands{{grouped_product(b, "query", "query up", queries, wq,
                                     {b.batch, b.sequence, d.heads, d.group, d.width})},
                    {},
                    {}};
  if (has_rotary) {
    const TensorId wr = b.weight("rotary query weight", {query_rank, d.heads, d.group, turned}, d.heads);
    operands.queries.push_back(grouped_product(b, "rotary query", "query up", queries, wr,
                                               {b.batch, b.sequence, d.heads, d.group, turned}));
  }
  TensorId low =
      grouped_product(b, "kv down", "kv down", normed, b.weight("kv down weight", {b.hidden, kv_rank}),
                      {b.batch, b.sequence, kv_rank});
  TensorId shared_key{};
  if (has_rotary)
    shared_key =
        grouped_product(b, "rotary key", "kv down", normed, b.weight("rotary key weight", {b.hidden, turned}),
                        {b.batch, b.sequence, turned});
  low = b.gathered(b.norm("kv norm", low, kv_rank));
  operands.keys.push_back(grouped_product(b, "key", "kv up", low,
                                          b.weight("key weight", {kv_rank, d.heads, d.width}, d.heads),
                                          {b.batch, b.sequence, d.heads, d.width}));
  operands.values = grouped_product(b, "value", "kv up", low,
                                    b.weight("value weight", {kv_rank, d.heads, d.value_width}, d.heads),
                                    {b.batch, b.sequence, d.heads, d.value_width});
  if (has_rotary) {
    operands.queries[1] = rotary(b, "query rotary", operands.queries[1]);
    operands.keys.push_back(b.gathered(rotary(b, "key rotary", shared_key)));
  }
  return operands;
}

// Ranks with parts of the sequence get all keys, either of all heads or of a part of the heads.
void exchange_context(ShardedGraphBuilder& b, Operands& operands, const HeadDims& d) {
  const bool by_heads = b.plan.context_exchange == ContextExchange::all_to_all;
  const Keep keep = b.plan.context_exchange == ContextExchange::ring ? Keep::no : Keep::yes;
  const auto has_heads = [&](TensorId id) {
    const auto& dims = b.graph[id].dims;
    return std::find(dims.begin(), dims.end(), d.heads) != dims.end();
  };
  const auto exchanged = [&](TensorId id) {
    if (by_heads && has_heads(id))
      return b.graph.rename(b.graph.reshard(id, Axis::context, sharded(d.heads)), b.sequence, d.keys);
    return b.graph.reshard(b.graph.rename(id, b.sequence, d.keys), Axis::context, duplicated, keep);
  };
  if (by_heads)
    for (TensorId& q : operands.queries) q = b.graph.reshard(q, Axis::context, sharded(d.heads));
  for (TensorId& k : operands.keys) k = exchanged(k);
  operands.values = exchanged(operands.values);
}

// Computes scores, softmax and their product with the values.
TensorId core(ShardedGraphBuilder& b, const Operands& operands, const HeadDims& d) {
  const auto mark = [&] {
    b.graph.last().core_attention = true;
    if (b.plan.attention == AttentionKind::flash) b.graph.last().kernel = Kernel::attention;
  };
  std::optional<TensorId> sinks;  // placed before, so that fused operations are neighbours
  if (b.model.attention_sinks) {
    sinks = b.weight("sinks", {d.heads, d.group}, d.heads);
    const ShardState heads = b.graph[operands.queries[0]].layout[Axis::context];
    if (heads == sharded(d.heads)) sinks = b.graph.reshard(*sinks, Axis::context, heads);
  }
  std::vector<TensorId> parts;
  for (std::size_t i = 0; i < operands.queries.size(); ++i) {
    parts.push_back(b.graph.product(i == 0 ? "scores" : "rotary scores",
                                    {operands.queries[i], operands.keys[i]},
                                    {b.batch, d.heads, d.group, b.sequence, d.keys}));
    mark();
  }
  TensorId scores = parts[0];
  if (parts.size() > 1) {
    scores = b.graph.sum("scores", parts, {});  // products add to what is there
    mark();
  }
  std::vector<TensorId> rows{scores};
  if (sinks) rows.push_back(*sinks);
  TensorId shares = b.graph.row_wise("softmax", std::move(rows), d.keys, {5, 1, 1, 8, 2, 1});
  b.graph.last().pointwise = PointwiseKind::softmax;
  mark();
  if (const TensorId dropped = b.dropout("attention dropout", shares); dropped != shares) {
    shares = dropped;
    mark();
  }
  const TensorId result = b.graph.product("context", {shares, operands.values},
                                          {b.batch, b.sequence, d.heads, d.group, d.value_width});
  mark();
  return result;
}

}  // namespace

TensorId add_attention(ShardedGraphBuilder& b, TensorId tokens) {
  const HeadDims d(b);
  Operands operands = b.model.latent ? latent_operands(b, tokens, d) : grouped_queries(b, tokens, d);
  exchange_context(b, operands, d);
  TensorId context = core(b, operands, d);
  context = b.graph.reshard(context, Axis::context, sharded(b.sequence));
  const TensorId weight = b.weight("projection weight", {d.heads, d.group, d.value_width, b.hidden}, d.heads);
  return b.graph.product("projection", {context, weight}, {b.batch, b.sequence, b.hidden});
}

}  // namespace orrery::core
