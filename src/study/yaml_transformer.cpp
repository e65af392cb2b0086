#include "study/yaml_transformer.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/yaml_reader.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "workload/transformer/transformer_catalogue.hpp"

namespace orrery {
namespace {

constexpr int most_ranks = 1 << 24, largest_batch = 1 << 24, longest_text = 1 << 27, most_stages = 1 << 12;

struct Draft {
  TransformerPlan plan;
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::array<MeshAxis, mesh_axes> order = RankMesh{}.order;
  bool overlap_gradients = true, overlap_parameters = true, overlap_messages = false;
  Optimizer optimizer = Optimizer::adam;
  std::optional<Precision> precision;
  const YamlNode* datatype = nullptr;
  const YamlNode* model = nullptr;
  std::uint64_t sequence = 0;
  std::map<std::string, SourceLocation, std::less<>> places;  // by the plan's names of keys
};

template <std::uint64_t TransformerPlan::*member, int most>
void read_count(const YamlNode& node, std::string_view key, std::string_view name, Draft& draft) {
  draft.plan.*member = static_cast<std::uint64_t>(int_of(node, key, 1, most));
  draft.places.insert_or_assign(std::string(name), node.where);
}

void read_order(const YamlNode& node, Draft& draft) {
  const std::vector<YamlNode>& items = list_of(node, "order");
  std::vector<MeshAxis> axes;
  for (const YamlNode& item : items) axes.push_back(word_value_of(item, "order", mesh_axis_words));
  std::vector<MeshAxis> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() != mesh_axes || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    reject_value(node, "order", "each of the five axes once, the innermost first");
  std::copy(axes.begin(), axes.end(), draft.order.begin());
}

void read_layers_per_stage(const YamlNode& node, Draft& draft) {
  for (const YamlNode& item : list_of(node, "layers-per-stage"))
    draft.plan.layers_per_chunk.push_back(
        static_cast<std::uint64_t>(int_of(item, "layers-per-stage", 0, most_stages)));
  draft.places.insert_or_assign("layers-per-stage", node.where);
}

constexpr YamlKey<Draft> parallelism_keys[] = {
    {"tensor", [](const YamlNode& v,
                  Draft& d) { read_count<&TransformerPlan::tensor, most_ranks>(v, "tensor", "tensor", d); }},
    {"sequence",
     [](const YamlNode& v, Draft& d) {
       d.plan.sequence_parallel = bool_of(v, "sequence");
       d.places.insert_or_assign("sequence", v.where);
     }},
    {"context",
     [](const YamlNode& v, Draft& d) {
       read_count<&TransformerPlan::context, most_ranks>(v, "context", "context", d);
     }},
    {"context-exchange",
     [](const YamlNode& v, Draft& d) {
       d.plan.context_exchange = word_value_of(v, "context-exchange", context_exchange_words);
     }},
    {"expert", [](const YamlNode& v,
                  Draft& d) { read_count<&TransformerPlan::expert, most_ranks>(v, "expert", "expert", d); }},
    {"expert-tensor",
     [](const YamlNode& v, Draft& d) { d.plan.expert_tensor = bool_of(v, "expert-tensor"); }},
    {"data", [](const YamlNode& v,
                Draft& d) { read_count<&TransformerPlan::data, most_ranks>(v, "data", "data", d); }},
    {"zero", [](const YamlNode& v, Draft& d) { d.plan.zero = int_of(v, "zero", 0, 3); }},
    {"shard", [](const YamlNode& v,
                 Draft& d) { read_count<&TransformerPlan::shard, most_ranks>(v, "shard", "shard", d); }},
    {"pipeline",
     [](const YamlNode& v, Draft& d) {
       read_count<&TransformerPlan::pipeline, most_stages>(v, "pipeline", "pipeline", d);
     }},
    {"schedule",
     [](const YamlNode& v, Draft& d) { d.schedule = word_value_of(v, "schedule", pipeline_schedule_words); }},
    {"virtual-stages",
     [](const YamlNode& v, Draft& d) {
       read_count<&TransformerPlan::chunks, most_stages>(v, "virtual-stages", "virtual-stages", d);
     }},
    {"layers-per-stage", read_layers_per_stage},
    {"order", read_order},
};

constexpr YamlKey<Draft> batch_keys[] = {
    {"global",
     [](const YamlNode& v, Draft& d) {
       read_count<&TransformerPlan::global_batch, largest_batch>(v, "global", "global", d);
     }},
    {"micro",
     [](const YamlNode& v, Draft& d) {
       read_count<&TransformerPlan::micro_batch, largest_batch>(v, "micro", "micro", d);
     }},
};

constexpr YamlKey<Draft> overlap_keys[] = {
    {"gradients", [](const YamlNode& v, Draft& d) { d.overlap_gradients = bool_of(v, "gradients"); }},
    {"parameters", [](const YamlNode& v, Draft& d) { d.overlap_parameters = bool_of(v, "parameters"); }},
    {"messages", [](const YamlNode& v, Draft& d) { d.overlap_messages = bool_of(v, "messages"); }},
};

constexpr YamlKey<Draft> transformer_keys[] = {
    {"model", [](const YamlNode& v, Draft& d) { d.model = &v; }},
    {"sequence",
     [](const YamlNode& v, Draft& d) {
       d.sequence = static_cast<std::uint64_t>(int_of(v, "sequence", 1, longest_text));
     }},
    {"batch", [](const YamlNode& v, Draft& d) { read_map(v, "a batch", batch_keys, d); },
     [] { return key_paths(".", batch_keys); }},
    {"parallelism", [](const YamlNode& v, Draft& d) { read_map(v, "parallelism", parallelism_keys, d); },
     [] { return key_paths(".", parallelism_keys); }},
    {"recompute",
     [](const YamlNode& v, Draft& d) { d.plan.recompute = word_value_of(v, "recompute", recompute_words); }},
    {"attention",
     [](const YamlNode& v, Draft& d) { d.plan.attention = word_value_of(v, "attention", attention_words); }},
    {"datatype", [](const YamlNode& v, Draft& d) { d.datatype = &v; }},
    {"optimizer",
     [](const YamlNode& v, Draft& d) { d.optimizer = word_value_of(v, "optimizer", optimizer_words); }},
    {"precision",
     [](const YamlNode& v, Draft& d) { d.precision = word_value_of(v, "precision", precision_words); }},
    {"overlap", [](const YamlNode& v, Draft& d) { read_map(v, "`overlap`", overlap_keys, d); },
     [] { return key_paths(".", overlap_keys); }},
};

void read_formats(const YamlNode& node, const Device& device, TransformerPlan& plan) {
  const Datatype asked = word_value_of(node, "datatype", datatype_words);
  require_product_peak(device, asked, node.where);
  const TrainingFormats formats = training_formats(device, asked);
  plan.type = formats.tensors;
  plan.linear_type = formats.linear;
}

// Checks the pipeline's schedule, which errors_of_plan() does not look at.
void check_schedule(const Draft& draft, const PlanPlaces& where) {
  const bool interleaved = draft.schedule == PipelineSchedule::interleaved;
  if (draft.plan.chunks > 1 && !interleaved)
    throw InputError(where("virtual-stages"),
                     "only the schedule `interleaved` has several virtual stages; choose that or leave "
                     "`virtual-stages` out");
  if (interleaved && draft.plan.micro_batches() % draft.plan.pipeline != 0)
    throw InputError(
        where("global"),
        fmt::format("an interleaved schedule needs a multiple of {} micro-batches, but there are {}",
                    draft.plan.pipeline, draft.plan.micro_batches()));
}

}  // namespace

TrainingSetup read_yaml_transformer(const YamlNode& workload, const Platform& platform,
                                    const std::filesystem::path& folder, const FileLoader& load,
                                    Warnings& warnings) {
  Draft draft;
  draft.plan.type = usual_datatype(platform.device.facts);
  draft.plan.attention = platform.stack.attention;
  read_map(workload, "a workload on a platform", transformer_keys, draft);
  if (draft.datatype) read_formats(*draft.datatype, platform.device.facts, draft.plan);
  const YamlNode& model = required(workload, "a workload on a platform", "model");
  required(workload, "a workload on a platform", "batch");
  const std::string& name = scalar_of(model, "model");
  const bool is_path =
      name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".json");
  Transformer transformer =
      find_transformer(is_path ? (folder / name).string() : name, model.where, load, warnings);
  if (draft.sequence > 0) {
    transformer.sequence = draft.sequence;
    if (transformer.positions > 0) transformer.positions = std::max(transformer.positions, draft.sequence);
  }
  const PlanPlaces where = [&](std::string_view key) {
    const auto place = draft.places.find(key);
    return place == draft.places.end() ? workload.where : place->second;
  };
  if (const auto errors = errors_of_plan(transformer, draft.plan, where); !errors.empty())
    throw InputError(errors.front());
  check_schedule(draft, where);
  const bool mixed = bytes_of(draft.plan.type) < 4;
  return {std::move(transformer),
          draft.plan,
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
          workload.where};
}

std::vector<std::string> yaml_transformer_keys() {
  return key_paths(".", transformer_keys);
}

}  // namespace orrery
