#include "workload/transformer/transformer_memory.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "workload/transformer/transformer_graph.hpp"

namespace orrery {
namespace {

// Sizes of one micro-batch on one rank.
struct Sizes {
  double tokens, hidden, element;
  double mask;             // bytes of dropout's mask per element
  double tensor, outside;  // share of a rank: of what tensor parallelism cuts, and of what lies between

  Sizes(const Transformer& model, const TransformerPlan& plan)
      : tokens(double(plan.micro_batch) * double(model.sequence) / double(plan.context)),
        hidden(double(model.hidden)),
        element(bytes_of(plan.type)),
        mask(model.dropout > 0 ? 1 : 0),
        tensor(1 / double(plan.tensor)),
        outside(plan.sequence_parallel ? tensor : 1) {}

  double vectors() const { return tokens * hidden * element * outside; }  // a hidden vector of each token
};

// Inputs of the two products that attention consists of, and of the projection.
double operand_bytes(const Transformer& model, const TransformerPlan& plan, const Sizes& z) {
  const double queries = double(model.query_width()), values = double(model.heads * model.value_width());
  if (model.latent) {
    const double ranks = double(model.latent->query_rank + model.latent->kv_rank);
    const double low = 2 * ranks + double(model.latent->rotary_width);  // before and behind their norms
    return z.tokens * z.element * (z.tensor * (2 * queries + 2 * values) + z.outside * low);
  }
  const double kv = double(std::max(model.kv_heads, plan.tensor) * model.head_width);  // with copies
  return z.tokens * z.element * z.tensor * (queries + 2 * kv + values);
}

// Returns the bytes kept of softmax and of the dropout behind it, or the sums of exponentials that fused
// attention keeps.
double score_bytes(const Transformer& model, const TransformerPlan& plan, const Sizes& z) {
  const double rows = double(model.heads) * z.tokens * z.tensor;
  if (plan.attention == AttentionKind::flash) return 4 * rows;
  const double dropout = z.mask > 0 ? z.element + z.mask : 0;
  return rows * double(model.sequence) * (z.element + dropout);
}

// Returns the bytes that an MLP keeps of its inside: before and behind the activation and, if gated, the
// other factor.
double inside_bytes(const Transformer& model, const Sizes& z, double width) {
  return (model.gated ? 3 : 2) * z.tokens * width * z.element;
}

double expert_bytes(const Transformer& model, const TransformerPlan& plan, const Sizes& z) {
  const MixtureOfExperts& moe = *model.moe;
  const double rows = double(moe.experts_per_token) * moe.capacity_factor;  // per token
  const double share = plan.expert_tensor ? z.tensor : z.outside;
  const double shared = double(moe.shared_experts * moe.ffn);
  return inside_bytes(model, z, rows * double(moe.ffn)) * share + inside_bytes(model, z, shared) * z.tensor +
         rows * z.vectors() + 4 * z.tokens * z.outside * double(moe.experts);
}

}  // namespace

double layer_working_bytes(const Transformer& model, const TransformerPlan& plan, bool with_experts) {
  const Sizes z(model, plan);
  double bytes = double(model.norms_per_layer) * z.vectors();  // inputs of norms
  bytes += 2 * z.vectors();                                    // of attention and of the MLP
  bytes += operand_bytes(model, plan, z) + score_bytes(model, plan, z);
  bytes += 2 * z.mask * z.tokens * z.hidden * z.outside;
  bytes += with_experts ? expert_bytes(model, plan, z) : inside_bytes(model, z, double(model.ffn)) * z.tensor;
  return bytes;
}

double layer_activation_bytes(const Transformer& model, const TransformerPlan& plan, bool with_experts) {
  const Sizes z(model, plan);
  if (plan.recompute == Recompute::full) return z.vectors();
  const bool again = plan.recompute == Recompute::selective && plan.attention == AttentionKind::naive;
  return layer_working_bytes(model, plan, with_experts) - (again ? score_bytes(model, plan, z) : 0);
}

double embedding_activation_bytes(const Transformer& model, const TransformerPlan& plan) {
  const Sizes z(model, plan);
  return z.mask * z.tokens * z.hidden * z.outside;
}

double head_activation_bytes(const Transformer& model, const TransformerPlan& plan) {
  const Sizes z(model, plan);
  return 2 * z.vectors() + 4 * z.tokens * double(padded_vocabulary(model, plan)) * z.tensor;
}

double micro_batches_in_flight(PipelineOrder order, std::uint64_t stages, std::uint64_t stage,
                               std::uint64_t chunks, std::uint64_t micro_batches) {
  const double p = double(stages), behind = double(stages - 1 - stage), m = double(micro_batches);
  switch (order) {
    case PipelineOrder::gpipe:
      return m;
    case PipelineOrder::one_forward_one_backward:
      return std::min(m, behind + 1);
    case PipelineOrder::interleaved: {
      const double v = double(chunks);
      return std::min(m, (2 * behind + (v - 1) * p + 1) / v);
    }
  }
  return m;
}

namespace {

PartParameters parameters_of(const ShardedGraph& graph) {
  PartParameters sum;
  for (const Tensor& tensor : graph.tensors()) {
    if (tensor.role != TensorRole::weight) continue;
    const auto elements = static_cast<std::uint64_t>(graph.local_elements(tensor, tensor.layout));
    // With one rank along the expert axis it does not matter which they are.
    (tensor.layout[Axis::expert].kind == ShardState::Kind::sharded ? sum.experts : sum.dense) += elements;
  }
  return sum;
}

// Returns the parameters of which other ranks hold a part, under ZeRO-3.
std::uint64_t shared_out(const PartParameters& part, const TransformerPlan& plan) {
  return (plan.shards(false) > 1 ? part.dense : 0) + (plan.shards(true) > 1 ? part.experts : 0);
}

// Returns, by chunk of a stage, whether each of its layers has experts. An interleaved stage has every p-th
// chunk.
std::vector<std::vector<bool>> layers_of_stage(const Transformer& model, const TransformerPlan& plan,
                                               std::uint64_t stage) {
  std::vector<std::vector<bool>> chunks;
  const std::vector<std::uint64_t> counts = plan.layers_of_chunks(model);
  std::uint64_t layer = 0;
  for (std::size_t chunk = 0; chunk < counts.size(); layer += counts[chunk++]) {
    if (chunk % plan.pipeline != stage) continue;
    std::vector<bool>& kinds = chunks.emplace_back();
    for (std::uint64_t i = 0; i < counts[chunk]; ++i) kinds.push_back(model.has_experts(layer + i));
  }
  return chunks;
}

// Returns the numbers of a stage's layers without and with experts.
std::array<std::uint64_t, 2> count_layers(const Transformer& model, const TransformerPlan& plan,
                                          std::uint64_t stage) {
  std::array<std::uint64_t, 2> counts{};
  for (const std::vector<bool>& chunk : layers_of_stage(model, plan, stage))
    for (const bool with_experts : chunk) ++counts[with_experts ? 1 : 0];
  return counts;
}

// Adds up the parts of a stage in the order in which a pass goes through them.
class StageParameters {
 public:
  explicit StageParameters(const TransformerPlan& plan) : plan_(plan) {}

  void add(const PartParameters& part) {
    sum_.dense += part.dense;
    sum_.experts += part.experts;
    const std::uint64_t gathered = shared_out(part, plan_);
    sum_.gathered = std::max(sum_.gathered, before_ + gathered);
    before_ = gathered;
  }
  void begin_chunk() { before_ = 0; }
  RankParameters& sum() { return sum_; }

 private:
  const TransformerPlan& plan_;
  RankParameters sum_;
  std::uint64_t before_ = 0;  // gathered for the part before
};

}  // namespace

ModelParts model_parts(const Transformer& model, const TransformerPlan& plan) {
  ModelParts parts;
  const std::uint64_t with_experts = model.layers_with_experts();
  parts.embedding = parameters_of(embedding_graph(model, plan));
  if (with_experts < model.layers) parts.layer = parameters_of(layer_graph(model, plan, false));
  if (with_experts > 0) parts.layer_with_experts = parameters_of(layer_graph(model, plan, true));
  parts.head = parameters_of(head_graph(model, plan));
  return parts;
}

RankParameters rank_parameters(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                               const ModelParts& parts) {
  StageParameters parameters(plan);
  if (stage == 0) parameters.add(parts.embedding);
  bool first_chunk = true;
  for (const std::vector<bool>& chunk : layers_of_stage(model, plan, stage)) {
    if (!std::exchange(first_chunk, false)) parameters.begin_chunk();
    for (const bool with_experts : chunk) parameters.add(parts.layer_kind(with_experts));
  }
  if (stage + 1 < plan.pipeline) return parameters.sum();
  parameters.add(parts.head);
  if (model.tied_embeddings && plan.pipeline == 1) {
    const std::uint64_t width = model.embedding_width > 0 ? model.embedding_width : model.hidden;
    parameters.sum().dense -= padded_vocabulary(model, plan) * width / plan.tensor;  // the embedding's
  }
  return parameters.sum();
}

ParameterState rank_state(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                          Optimizer optimizer, Precision precision, const ModelParts& parts) {
  const RankParameters held = rank_parameters(model, plan, stage, parts);
  ParameterState state =
      parameter_state(double(held.dense), optimizer, precision, {plan.zero, plan.shards(false)});
  const ParameterState experts =
      parameter_state(double(held.experts), optimizer, precision, {plan.zero, plan.shards(true)});
  state.weights += experts.weights;
  state.gradients += experts.gradients;
  state.optimizer += experts.optimizer;
  if (plan.zero == 3) {
    const double bytes = bytes_per_parameter(optimizer, precision).weights;
    state.weights = std::min(state.weights + bytes * double(held.gathered), bytes * double(held.total()));
  }
  return state;
}

StageMemory stage_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                         PipelineOrder order, Optimizer optimizer, Precision precision,
                         const ModelParts& parts) {
  const std::array<std::uint64_t, 2> counts = count_layers(model, plan, stage);
  const double in_flight =
      micro_batches_in_flight(order, plan.pipeline, stage, plan.chunks, plan.micro_batches());
  StageMemory memory;
  memory.state = rank_state(model, plan, stage, optimizer, precision, parts);
  for (const bool with_experts : {false, true}) {
    const std::uint64_t count = counts[with_experts ? 1 : 0];
    if (count == 0) continue;
    const double kept = layer_activation_bytes(model, plan, with_experts);
    memory.activations += in_flight * double(count) * kept;
    memory.working = std::max(memory.working, layer_working_bytes(model, plan, with_experts) - kept);
  }
  if (stage == 0) memory.embedding = in_flight * embedding_activation_bytes(model, plan);
  if (stage + 1 == plan.pipeline) memory.head = head_activation_bytes(model, plan);
  return memory;
}

StageMemory stage_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                         PipelineOrder order, Optimizer optimizer, Precision precision) {
  return stage_memory(model, plan, stage, order, optimizer, precision, model_parts(model, plan));
}

}  // namespace orrery
