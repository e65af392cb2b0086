#include "workload/generate/gemm_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/diagnostics/words.hpp"
#include "workload/astra1/layer_table_words.hpp"

namespace orrery::core {
namespace {

// The original has this delay after every collective of a layer, in every table it wrote.
constexpr Time delay = Time::from_ns(100);

class Generator {
 public:
  Generator(const ComputeModel& model, const GemmTableOptions& options, Warnings& warnings)
      : model_(model), options_(options), warnings_(warnings) {}

  Layer layer_of(const MnkLayer& mnk) const {
    const Remainder remainder = options_.compat_astra1 ? Remainder::lost : Remainder::computed;
    const TrainingPolicy policy = mnk.policy.value_or(options_.policy);
    const LayerSplit split = split_layer(mnk.name, mnk.gemm, policy, options_.machine, remainder, mnk.where);
    if (!split.even) warn_of_remainder(mnk, split);
    Layer layer;
    layer.name = mnk.name;
    layer.where = mnk.where;
    layer.delay = delay;
    layer.policy = mnk.policy;
    layer.weight_gradient = step_of(mnk, split.weight_gradient);
    layer.forward = step_of(mnk, split.forward);
    layer.input_gradient = step_of(mnk, split.input_gradient);
    if (options_.compat_astra1)
      layer.forward.compute = layer.input_gradient.compute = layer.weight_gradient.compute;
    return layer;
  }

 private:
  void warn_of_remainder(const MnkLayer& mnk, const LayerSplit& split) const {
    const Gemm& part = split.forward.gemm;
    warnings_.add(
        mnk.where,
        fmt::format("layer {}: {} x {} outputs do not divide evenly, an NPU is taken to compute {} x {}{}",
                    backquoted(mnk.name), mnk.gemm.m, mnk.gemm.n, part.m, part.n,
                    options_.compat_astra1 ? ", the rest is lost" : ", as the one with most of them"));
  }

  LayerStep step_of(const MnkLayer& mnk, const SplitStep& split) const {
    return {time_of(mnk, split.gemm), split.collective, false, split.size};
  }

  Time time_of(const MnkLayer& mnk, const Gemm& gemm) const {
    const double ns = model_.cost({mnk.where.text(), gemm, Datatype::fp16}).seconds * 1e9;
    if (!(ns <= Time::longest_input().ns()))
      throw InputError(mnk.where, "layer " + backquoted(mnk.name) +
                                      ": computing takes longer than 30 days, make it smaller");
    return Time::from_ns(std::llround(ns));
  }

  const ComputeModel& model_;
  const GemmTableOptions& options_;
  Warnings& warnings_;
};

std::string generator_step(const LayerStep& step) {
  return fmt::format("\t {}\t{}\t{}", step.compute.whole_ns(),
                     word_of(collective_words, CollectiveWord{step.collective, false}), step.size.count());
}

}  // namespace

LayerTable gemm_table(const std::vector<MnkLayer>& layers, const ComputeModel& model,
                      const GemmTableOptions& options, Warnings& warnings) {
  const Generator generator(model, options, warnings);
  LayerTable table;
  table.policy = options.policy;
  for (const MnkLayer& layer : layers) table.layers.push_back(generator.layer_of(layer));
  return table;
}

std::string write_as_astra1_generator(const LayerTable& table) {
  std::string out = fmt::format("{}\n{}", word_of(policy_words, table.policy), table.layers.size());
  for (const Layer& layer : table.layers) {
    out += "\n" + layer.name + "\t-1" + generator_step(layer.forward) + generator_step(layer.input_gradient) +
           generator_step(layer.weight_gradient) +
           fmt::format("\t{}\t{}", layer.delay.whole_ns(),
                       word_of(policy_words, layer.policy.value_or(table.policy)));
  }
  return out;
}

}  // namespace orrery::core
