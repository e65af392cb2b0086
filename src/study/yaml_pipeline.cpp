#include "study/yaml_pipeline.hpp"

#include "base/yaml_reader.hpp"

namespace orrery {
namespace {

constexpr int most_micro_batches = 1 << 20, most_virtual_stages = 1 << 12;

constexpr YamlKey<PipelineOptions> pipeline_keys[] = {
    {"micro-batches",
     [](const YamlNode& v, PipelineOptions& o) {
       o.micro_batches = int_of(v, "micro-batches", 1, most_micro_batches);
     }},
    {"schedule",
     [](const YamlNode& v, PipelineOptions& o) {
       o.schedule = word_value_of(v, "schedule", pipeline_schedule_words);
     }},
    {"virtual-stages",
     [](const YamlNode& v, PipelineOptions& o) {
       o.virtual_stages = int_of(v, "virtual-stages", 1, most_virtual_stages);
       if (o.virtual_stages > 1 && o.schedule != PipelineSchedule::interleaved)
         throw InputError(v.where,
                          "only the schedule `interleaved` has several virtual stages; choose that or leave "
                          "`virtual-stages` out");
     }},
    {"dimension",
     [](const YamlNode& v, PipelineOptions& o) {
       o.dimension = scalar_of(v, "dimension");
       o.dimension_where = v.where;
     }},
};

}  // namespace

PipelineOptions read_yaml_pipeline(const YamlNode& node) {
  PipelineOptions options;
  options.where = node.where;
  read_map(node, "a pipeline", pipeline_keys, options);
  required(node, "a pipeline", "micro-batches");
  return options;
}

std::vector<std::string> yaml_pipeline_keys() {
  return key_paths(".", pipeline_keys);
}

}  // namespace orrery
