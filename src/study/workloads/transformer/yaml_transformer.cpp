#include "study/workloads/transformer/yaml_transformer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/files/embedded_file.hpp"
#include "base/input/keys.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "study/workloads/transformer/yaml_inference.hpp"
#include "study/workloads/yaml_sparsity.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core {
namespace {

constexpr int max_ranks = 1 << 24, largest_batch = 1 << 24, longest_text = 1 << 27, max_stages = 1 << 12;

struct TransformerDraft : TransformerPlan {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::array<MeshAxis, mesh_axes> order = RankMesh{}.order;
  bool overlap_gradients = true, overlap_parameters = true, overlap_messages = false;
  Optimizer optimizer = Optimizer::adam;
  std::optional<Precision> precision;
  const InputNode *datatype = nullptr, *sparsity_node = nullptr;
  const InputNode* model = nullptr;
  std::uint64_t sequence = 0;
  const InputNode *lengths = nullptr, *predictions = nullptr, *inference = nullptr;
};

void read_order(const InputNode& node, TransformerDraft& draft) {
  const std::vector<InputNode>& items = list_of(node, "order");
  std::vector<MeshAxis> axes;
  for (const InputNode& item : items) axes.push_back(word_value_of(item, "order", mesh_axis_words));
  std::vector<MeshAxis> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() != mesh_axes || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    reject_value(node, "order", "each of the five axes once, the innermost first");
  std::copy(axes.begin(), axes.end(), draft.order.begin());
}

void read_layers_per_stage(const InputNode& node, const KeyFacts& key, TransformerDraft& draft) {
  for (const InputNode& item : list_of(node, key.name))
    draft.layers_per_chunk.push_back(static_cast<std::uint64_t>(int_of(item, key.name, 0, max_stages)));
}

constexpr Key<TransformerDraft> parallelism_keys[] = {
    key::integer<&TransformerDraft::tensor>("tensor", 1, max_ranks, "1", "ranks that share each layer")
        .of("a divisor of heads and MLP width"),
    key::boolean<&TransformerDraft::sequence_parallel>(
        "sequence", "false",
        "whether the activations that tensor parallelism leaves whole are cut along the sequence")
        .better(Better::either)
        .layout(),
    key::integer<&TransformerDraft::context>("context", 1, max_ranks, "1", "ranks that share a sequence")
        .of("a divisor of the sequence"),
    key::word<context_exchange_words, &TransformerDraft::context_exchange>(
        "context-exchange", "ring", "how ranks of context parallelism see each other's keys and values"),
    key::integer<&TransformerDraft::expert>("expert", 1, max_ranks, "1",
                                            "ranks of data parallelism that share the experts")
        .of("a divisor of experts and `data`"),
    key::boolean<&TransformerDraft::expert_tensor>("expert-tensor", "true",
                                                   "whether experts are cut by tensor parallelism, too"),
    key::integer<&TransformerDraft::data>("data", 1, max_ranks, "1", "ranks with different samples"),
    key::integer<&TransformerDraft::zero>(
        "zero", 0, 3, "0",
        "stage of ZeRO: 1 shares out the optimizer's state, 2 the gradients, 3 the weights (FSDP)"),
    key::integer<&TransformerDraft::shard>(
        "shard", 1, max_ranks, "all",
        "number of ranks that share out what `zero` says; the other ranks have copies, and gradients are "
        "also reduced among the copies (HSDP)")
        .of("a divisor of `context` times `data` (of a model with experts also by `expert`)"),
    key::integer<&TransformerDraft::pipeline>("pipeline", 1, max_stages, "1", "stages of the pipeline"),
    key::word<pipeline_schedule_words, &TransformerDraft::schedule>(
        "schedule", "1f1b", "schedule of the pipeline, as for [pipelines](#pipelines)")
        .better(Better::either)
        .layout(),
    key::integer<&TransformerDraft::chunks>("virtual-stages", 1, max_stages, "1",
                                            "chunks on a stage, as for [pipelines](#pipelines)")
        .better(Better::either)
        .layout(),
    key::custom<read_layers_per_stage>("layers-per-stage", "list", "as many on each",
                                       "layers of each stage, or with virtual stages of each chunk")
        .trying("[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]"),
    key::custom<read_order>(
        "order", "the five axes", "`tensor`, `context`, `expert`, `data`, `pipeline`",
        "order in which ranks are numbered; the innermost axis, which lies inside a node, comes first")
        .trying("[tensor, context, expert, data, pipeline]|[tensor, context, expert, pipeline, data]|"
                "[tensor, context, data, expert, pipeline]|[context, expert, data, tensor, pipeline]|"
                "[pipeline, tensor, context, expert, data]")
        .better(Better::either)
        .layout(),
};

constexpr Key<TransformerDraft> batch_keys[] = {
    key::integer<&TransformerDraft::global_batch>("global", 1, largest_batch, "1",
                                                  "sequences of a training step"),
    key::integer<&TransformerDraft::micro_batch>("micro", 1, largest_batch, "1",
                                                 "sequences of a micro-batch on one rank")
        .better(Better::either)
        .layout(),
};

constexpr Key<TransformerDraft> overlap_keys[] = {
    key::boolean<&TransformerDraft::overlap_gradients>(
        "gradients", "true", "whether the exchange of gradients goes on while ranks compute")
        .better(Better::either)
        .software(),
    key::boolean<&TransformerDraft::overlap_parameters>(
        "parameters", "true", "whether gathering weights after the update goes on while ranks compute")
        .better(Better::either)
        .software(),
    key::boolean<&TransformerDraft::overlap_messages>(
        "messages", "false", "whether sending to the next stage goes on while ranks compute")
        .better(Better::either)
        .software(),
};

constexpr Key<TransformerDraft> transformer_keys[] = {
    key::kept<&TransformerDraft::model>(
        "model",
        "a transformer's name, the path of a [transformer file](#transformer-files) or of a `config.json`",
        "required", ""),
    key::integer<&TransformerDraft::sequence>("sequence", 1, longest_text, "the model's",
                                              "number of tokens of a sequence"),
    key::kept<&TransformerDraft::lengths>(
        "lengths", "list of numbers of tokens", "the sequence",
        "lengths of sequences that are not padded, one as frequent as another")
        .trying("[32, 64]"),
    key::kept<&TransformerDraft::predictions>("predictions", "1 to 2²⁷", "as the model has it",
                                              "number of tokens of a sequence that a masked head finds")
        .trying("8"),
    key::kept<&TransformerDraft::inference>("inference", "map", "none",
                                            "a step of [inference](#inference) in place of training")
        .above(yaml_inference_keys),
    key::map<batch_keys>("batch", "a batch", "required", ""),
    key::map<parallelism_keys>("parallelism", "parallelism", "",
                               "ranks along each axis; together they are the GPUs"),
    key::word<recompute_words, &TransformerDraft::recompute>(
        "recompute", "none", "what the backward pass computes again: the scores of attention, or the layer")
        .better(Better::either)
        .layout(),
    key::word<attention_words, &TransformerDraft::attention>(
        "attention", "as the software has it",
        "how attention is computed: `naive` moves scores through main memory, `flash` does not"),
    key::kept<&TransformerDraft::datatype>(
        "datatype", "number format", "the device's usual one",
        "number format of weights and activations; one of less than 16 bits is that of [linear layers' "
        "products](#formats-of-less-than-16-bits) alone")
        .trying("fp32"),
    key::kept<&TransformerDraft::sparsity_node>("sparsity", "map", "none",
                                                "[zeros](#zeros) in the layers' products with weights")
        .above(yaml_sparsity_keys),
    key::word<optimizer_words, &TransformerDraft::optimizer>(
        "optimizer", "adam", "optimizer, which decides [what is kept of each parameter](#memory)"),
    key::word<precision_words, &TransformerDraft::precision>(
        "precision", "`mixed-fp32-gradients`, or `fp32` for formats of 32 bits",
        "number formats of training, which decide [what is kept of each parameter](#memory)"),
    key::map<overlap_keys>("overlap", "`overlap`", "", "communication that goes on while ranks compute"),
};

void read_formats(const InputNode& node, const Device& device, TransformerPlan& plan) {
  const Datatype asked = word_value_of(node, "datatype", datatype_words);
  require_product_peak(device, asked, node.where);
  const TrainingFormats formats = training_formats(device, asked);
  plan.type = formats.tensors;
  plan.linear_type = formats.linear;
}

// Sequences that are not padded are as many tokens as they have, and each token sees those of its own
// sequence: so the mean token sees the mean of the squared lengths, divided by that of the lengths.
void read_lengths(const InputNode& node, Transformer& model, TransformerPlan& plan) {
  if (plan.context > 1 || plan.sequence_parallel)
    throw InputError(node.where,
                     "sequences of several `lengths` are not cut; leave `context` and `sequence` parallelism "
                     "out, or `lengths`");
  double tokens = 0, seen = 0;
  for (const InputNode& item : list_of(node, "lengths")) {
    const double length = int_of(item, "lengths", 1, static_cast<int>(model.sequence));
    tokens += length;
    seen += length * length;
  }
  if (node.items.empty()) reject_value(node, "lengths", "a list with at least one number");
  model.sequence = static_cast<std::uint64_t>(std::llround(tokens / double(node.items.size())));
  plan.seen = static_cast<std::uint64_t>(std::llround(seen / tokens));
}

void read_predictions(const InputNode& node, const Transformer& model, TransformerPlan& plan) {
  if (!model.masked)
    throw InputError(node.where,
                     "the model's head predicts the token behind each one; leave `predictions` out");
  plan.predicted = static_cast<std::uint64_t>(int_of(node, "predictions", 1, longest_text));
}

// Checks the pipeline's schedule, which errors_of_plan() does not look at.
void check_schedule(const TransformerDraft& draft, const PlanPlaces& where) {
  const bool interleaved = draft.schedule == PipelineSchedule::interleaved;
  if (draft.chunks > 1 && !interleaved)
    throw InputError(where("virtual-stages"),
                     "only the schedule `interleaved` has several virtual stages; choose that or leave "
                     "`virtual-stages` out");
  if (interleaved && draft.micro_batches() % draft.pipeline != 0)
    throw InputError(
        where("global"),
        fmt::format("an interleaved schedule needs a multiple of {} micro-batches, but there are {}",
                    draft.pipeline, draft.micro_batches()));
}

}  // namespace

Purpose purpose_of(const InputNode& workload) {
  return workload.find("inference") ? Purpose::inference : Purpose::training;
}

TrainingSetup read_yaml_transformer(const InputNode& workload, const Platform& platform,
                                    const std::filesystem::path& folder, const FileLoader& load,
                                    Warnings& warnings) {
  TransformerDraft draft;
  draft.type = usual_datatype(platform.device.facts);
  draft.attention = platform.stack.attention;
  read_map(workload, "a workload on a platform", transformer_keys, draft);
  if (draft.datatype) read_formats(*draft.datatype, platform.device.facts, draft);
  const InputNode& model = *draft.model;
  const std::string& name = scalar_of(model, "model");
  Transformer transformer =
      find_transformer(is_path(name) ? (folder / name).string() : name, model.where, load, warnings);
  if (draft.sequence > 0) {
    transformer.sequence = draft.sequence;
    if (transformer.positions > 0) transformer.positions = std::max(transformer.positions, draft.sequence);
  }
  const PlanPlaces where = [&](std::string_view key) {
    for (const std::string_view map : {"batch", "parallelism"})
      if (const InputNode* below = workload.find(map))
        if (const InputNode* node = below->find(key)) return node->where;
    return workload.where;
  };
  if (draft.inference) {
    read_yaml_inference(workload, platform.device.facts, transformer, draft);
    draft.schedule = PipelineSchedule::forward_only;
  }
  if (const auto errors = errors_of_plan(transformer, draft, where); !errors.empty())
    throw InputError(errors.front());
  if (draft.lengths) read_lengths(*draft.lengths, transformer, draft);
  if (draft.predictions) read_predictions(*draft.predictions, transformer, draft);
  check_schedule(draft, where);
  if (draft.sparsity_node) {
    draft.sparsity = read_yaml_sparsity(*draft.sparsity_node, platform.device.facts, warnings);
    const std::vector<std::string> products = weighted_products(transformer, draft);
    draft.sparsity.require_layers(std::vector<std::string_view>(products.begin(), products.end()));
  }
  const InputNode* const parallelism = workload.find("parallelism");
  const InputNode* const expert_tensor = parallelism ? parallelism->find("expert-tensor") : nullptr;
  if (expert_tensor && !transformer.moe)
    throw InputError(expert_tensor->where, "the model has no experts; leave `expert-tensor` out");
  const bool mixed = bytes_of(draft.type) < 4;
  return {std::move(transformer),
          static_cast<const TransformerPlan&>(draft),
          draft.schedule,
          draft.order,
          draft.overlap_gradients,
          draft.overlap_parameters,
          draft.overlap_messages,
          draft.optimizer,
          draft.precision.value_or(mixed ? Precision::mixed_fp32_gradients : Precision::fp32),
          platform.device,
          platform.library,
          platform.stack,
          platform.stack_is_named || draft.inference,
          workload.where,
          false,
          {},
          {},
          platform.contended};
}

std::vector<KeyPath> yaml_transformer_keys() {
  return keys_of_map<transformer_keys>();
}

}  // namespace orrery::core
