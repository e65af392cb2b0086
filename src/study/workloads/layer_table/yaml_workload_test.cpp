#include "study/workloads/layer_table/yaml_workload.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace orrery::core::yaml_workload_test {
namespace {

LayerTable read(const std::string& text) {
  Warnings warnings;
  return read_yaml_workload(parse_yaml(text, "x.yaml"), {}, warnings, InputLog()).table;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::string& text, const std::string& part) {
  EXPECT_NE(error_of(text).find(part), std::string::npos) << error_of(text);
}

TEST(YamlWorkload, models) {
  const LayerTable vgg =
      read("{ model: vgg16, peak: 1 TFLOP/s, batch: 2, image-size: 32, classes: 7, bytes-per-element: 4 }");
  EXPECT_EQ(vgg.layers.at(0).forward.compute,
            Time::from_ns(2 * 2 * 27 * 64 * 32 * 32 / 1000 + 1));  // 7077.888
  EXPECT_EQ(vgg.layers.at(15).weight_gradient.size, Bytes(4 * (4096 * 7 + 7)));
  const LayerTable gpt = read(
      "{ model: gpt3, peak: 1 PFLOP/s, transformer-layers: 2, tensor-parallel: 4, batch: 3, sequence: 5, "
      "hidden: 24, "
      "heads: 8, vocabulary: 44, bytes-per-element: 1 }");
  EXPECT_EQ(gpt.layers.size(), 19u);
  EXPECT_EQ(gpt.model_parallel_group, 4);
  EXPECT_EQ(gpt.layers[18].forward.size, Bytes(3 * 5 * 11));
  EXPECT_EQ(gpt.layers[0].weight_gradient.size, Bytes(24 * 6));
}

TEST(YamlWorkload, model_files) {
  const auto load = [](const std::string& path) -> std::string {
    if (path != "study/nets/a.yaml") throw InputError({path}, "not there");
    return "parameters: { width: 8 }\ninput: [width]\nlayers: [{ fully-connected: 4, bias: false }]\n";
  };
  const auto read_in_study = [&](const std::string& text) {
    Warnings warnings;
    return read_yaml_workload(parse_yaml(text, "study/x.yaml"), {.folder = "study"}, warnings, load).table;
  };
  const LayerTable table = read_in_study("{ model: nets/a.yaml, peak: 1 GFLOP/s, width: 500 }");
  ASSERT_EQ(table.layers.size(), 1u);
  EXPECT_EQ(table.layers[0].forward.compute, Time::from_ns(2 * 4 * 500));
  EXPECT_EQ(table.layers[0].weight_gradient.size, Bytes(2 * 4 * 500));
  try {
    read_in_study("{ model: nets/b.yaml }");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "study/x.yaml:1:10: error: no model file that can be read: study/nets/b.yaml: error: not there");
  }
}

TEST(YamlWorkload, bad_models) {
  expect_error("{ model: bert }", "x.yaml:1:10: error: there is no model `bert`; you may mean ");
  expect_error("{ model: vgg16 }", "write `peak: 100 TFLOP/s`");
  expect_error("{ model: vgg16, peak: 1 TFLOP/s, hidden: 3 }", "unknown key `hidden`");
  expect_error("{ model: gpt3, peak: 1 TFLOP/s, heads: 7 }",
               "`heads` has to be a multiple of tensor-parallel, but 7 is not a multiple of 16");
  expect_error("{ model: vgg16, peak: 100 }",
               "`100` has no unit; write a compute rate such as `312 TFLOP/s`");
  expect_error("{ peak: 1 TFLOP/s }", "a workload needs the key `model` or the key `layers`");
  expect_error("[]", "a workload has to be a map");
}

TEST(YamlWorkload, layers) {
  const LayerTable table = read(R"(
policy: hybrid-data-model
layers:
  - name: a
    forward: { compute: 5 ns, collective: all-gather, size: 1 KiB }
    input-gradient: { compute: 1.5 us, collective: reduce-scatter, size: 2 KB }
    weight-gradient: { compute: 7 ps, collective: all-reduce, size: 3 B }
    delay: 2 ns
  - { name: block1/b }
)");
  EXPECT_EQ(table.policy, TrainingPolicy::hybrid_data_model);
  ASSERT_EQ(table.layers.size(), 2u);
  const Layer& a = table.layers[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.forward.compute, Time::from_ns(5));
  EXPECT_EQ(a.forward.collective, CollectiveKind::all_gather);
  EXPECT_EQ(a.forward.size, Bytes(1024));
  EXPECT_EQ(a.input_gradient.compute, Time::from_ns(1500));
  EXPECT_EQ(a.input_gradient.collective, CollectiveKind::reduce_scatter);
  EXPECT_EQ(a.input_gradient.size, Bytes(2000));
  EXPECT_EQ(a.weight_gradient.compute, Time::from_ps(7));
  EXPECT_EQ(a.weight_gradient.size, Bytes(3));
  EXPECT_EQ(a.delay, Time::from_ns(2));
  EXPECT_EQ(a.where.text(), "x.yaml:4:5");
  EXPECT_FALSE(table.layers[1].forward.collective);
  EXPECT_EQ(table.layers[1].delay, Time());
}

TEST(YamlWorkload, recomputation_by_name_or_index) {
  const LayerTable table = read(R"(
policy: hybrid-transformer-fwd-in-bckwd
model-parallel-group: 16
layers: [ { name: a }, { name: b }, { name: c }, { name: d } ]
checkpoints: [a, 2]
recompute-at: [d, b]
)");
  EXPECT_EQ(table.model_parallel_group, 16);
  EXPECT_EQ(table.checkpoints, (std::vector<int>{0, 2}));
  EXPECT_EQ(table.initiators, (std::vector<int>{3, 1}));
  const std::string head = "policy: hybrid-transformer-fwd-in-bckwd\nlayers: [ { name: a }, { name: b } ]\n";
  expect_error(head + "checkpoints: [c]\n", "x.yaml:3:15: error: there is no layer `c`");
  expect_error(head + "checkpoints: [2]\n", "its index, from 0 to 1");
  expect_error(head + "checkpoints: [-1]\n", "there is no layer `-1`");
  expect_error(head + "recompute-at: [b]\n", "x.yaml:3:16: error:");  // without a checkpoint below
  expect_error(head + "checkpoints: a\n", "has to be a list");
}

TEST(YamlWorkload, last_bottom_layer) {
  const LayerTable table =
      read("{ policy: hybrid-dlrm, layers: [ { name: a }, { name: b } ], last-bottom-layer: b }");
  EXPECT_EQ(table.policy, TrainingPolicy::hybrid_dlrm);
  EXPECT_EQ(table.last_bottom_layer, 1);
}

TEST(YamlWorkload, policies_of_layers) {
  const LayerTable table =
      read("{ policy: hybrid-customized, layers: [ { name: a, policy: model }, { name: b } ] }");
  EXPECT_EQ(table.layers[0].policy, TrainingPolicy::model);
  EXPECT_FALSE(table.layers[1].policy);
  expect_error("{ layers: [ { name: a, policy: model } ] }",
               "only where the workload's is hybrid-customized");
  expect_error("{ policy: hybrid-customized, layers: [ { name: a, policy: hybrid-transformer } ] }",
               "`hybrid-transformer` cannot be the policy of a layer");
  expect_error(
      "{ policy: hybrid-customized, layers: [ { name: a, forward: { collective: all-reduce, size: 1 B } } ] "
      "}",
      "needs a `policy`");
}

TEST(YamlWorkload, bad_layers) {
  expect_error("{ layers: [] }", "`layers` has to be a list with at least one element");
  expect_error("{ layers: [ {} ] }", "a layer needs the key `name`");
  expect_error("{ layers: [ { name: a }, { name: a } ] }", "there are two layers `a`");
  expect_error("{ layers: [ { name: 'a,b' } ] }", "must not hold blanks, commas");
  expect_error("{ layers: [ { name: '' } ] }", "`name` has to be a name of 1 to 200 characters");
  expect_error("{ layers: [ { name: a b } ] }", "must not hold blanks, commas");
  expect_error("{ layers: [ { name: a, forward: { compute: 5 } } ] }", "`5` has no unit; write a time");
  expect_error("{ layers: [ { name: a, forward: { collective: all-reduce } } ] }",
               "needs a `size` above zero");
  expect_error("{ layers: [ { name: a, forward: { collective: all-reduce, size: 0 B } } ] }",
               "`size` above zero");
  expect_error("{ layers: [ { name: a, forward: { size: 5 B } } ] }", "a `size` needs a `collective`");
  expect_error(
      "{ layers: [ { name: a, forward: { collective: multicast, size: 5 B } } ] }",
      "`collective` has to be `reduce-scatter`, `all-gather`, `all-reduce`, `all-to-all`, `broadcast`");
  expect_error("{ policy: DATA, layers: [ { name: a } ] }", "`policy` has to be `data`");
  expect_error("{ layers: [ { name: a } ], model-parallel-group: 4 }", "means nothing under the policy data");
  expect_error("{ layers: [ { name: a } ], checkpoints: [a] }", "means nothing under the policy data");
  expect_error("{ layers: [ { name: a } ], last-bottom-layer: a }", "means nothing under the policy data");
}

// Takes a microsecond for everything.
class SlowClock final : public ComputeModel {
 public:
  OperatorCost cost(const Operator&) const override {
    OperatorCost cost;
    cost.seconds = 1e-6;
    return cost;
  }
};

LayerTable on_slow_clock(const std::string& text) {
  Device facts;
  facts.matrix_peak[Datatype::fp32] = 1e12;
  const ComputingDevice device{facts, std::make_shared<const SlowClock>()};
  Warnings warnings;
  return read_yaml_workload(parse_yaml(text, "x.yaml"), {.device = &device}, warnings, InputLog()).table;
}

TEST(YamlWorkload, ADeviceComputesEachStepWithAllThatFollows) {
  const LayerTable table = on_slow_clock("{ model: vgg16, datatype: fp32 }");
  ASSERT_EQ(table.layers.size(), 16u);
  const Layer& first = table.layers[0];  // a convolution and its ReLU; only the network's input comes in
  EXPECT_EQ(first.forward.compute, Time::from_ns(2000));
  EXPECT_EQ(first.input_gradient.compute, Time::from_ns(1000));
  EXPECT_EQ(first.weight_gradient.compute, Time::from_ns(1000));
  EXPECT_EQ(first.weight_gradient.size, Bytes(4 * (64 * 27 + 64)));
  const Layer& second = table.layers[1];  // and its pooling
  EXPECT_EQ(second.forward.compute, Time::from_ns(3000));
  EXPECT_EQ(second.input_gradient.compute, Time::from_ns(3000));
  EXPECT_EQ(second.weight_gradient.compute, Time::from_ns(1000));
}

TEST(YamlWorkload, EitherADeviceOrAPeak) {
  EXPECT_THROW(on_slow_clock("{ model: vgg16, peak: 1 TFLOP/s }"), InputError);
  EXPECT_THROW(on_slow_clock("{ layers: [{ name: a }] }"), InputError);
  EXPECT_THROW(read("{ model: vgg16, peak: 1 TFLOP/s, datatype: fp16 }"), InputError);
}

TrainedModel on_v100(const std::string& text, const FileLoader& load = InputLog()) {
  const ComputingDevice device = find_computing_device("v100", {}, no_files());
  Warnings warnings;
  return read_yaml_workload(parse_yaml(text, "x.yaml"), {"study", &device, {16, 2, 2}}, warnings, load);
}

TEST(YamlWorkload, StrategiesSplitAModel) {
  EXPECT_EQ(on_v100("{ model: vgg16 }").table.policy, TrainingPolicy::data);
  const LayerTable model = on_v100("{ model: vgg16, strategy: model, batch: 32 }").table;
  EXPECT_EQ(model.policy, TrainingPolicy::model);
  EXPECT_EQ(model.layers[13].forward.size, Bytes(2 * 32 * 4096 / 16));
  EXPECT_FALSE(model.layers[13].weight_gradient.collective);
  // Eight NPUs of a package, dimension 0, share a layer.
  const LayerTable hybrid = on_v100("{ model: vgg16, strategy: hybrid-data-model, batch: 32 }").table;
  EXPECT_EQ(hybrid.layers[13].forward.size, Bytes(2 * 32 * 4096 / 8));
  EXPECT_EQ(hybrid.layers[13].weight_gradient.size, Bytes(2 * (25088 + 1) * 4096 / 8));
  const auto load = [](const std::string& path) -> std::string {
    EXPECT_EQ(path, "study/layers.csv");
    return "layer,strategy\nfc1,model\n";
  };
  const LayerTable own =
      on_v100("{ model: vgg16, strategy: hybrid-customized, strategies: layers.csv }", load).table;
  EXPECT_EQ(own.layers[13].policy, TrainingPolicy::model);
  EXPECT_EQ(own.layers[14].policy, TrainingPolicy::data);
  EXPECT_THROW(on_v100("{ model: vgg16, strategy: hybrid-customized }"), InputError);
  EXPECT_THROW(on_v100("{ model: vgg16, strategies: layers.csv }", load), InputError);
  EXPECT_THROW(on_v100("{ model: vgg16, strategy: MODEL }"), InputError);
  EXPECT_THROW(on_v100("{ model: gpt3, strategy: data }"), InputError);
  // A peak will do as well.
  EXPECT_EQ(read("{ model: vgg16, peak: 1 TFLOP/s, strategy: data }").policy, TrainingPolicy::data);
}

TEST(YamlWorkload, MemoryOfAModelOnADevice) {
  const MemoryVerdict plain = *on_v100("{ model: vgg16, batch: 2 }").memory;
  EXPECT_EQ(plain.where.column, 24);
  EXPECT_EQ(plain.required.context, 0);
  EXPECT_EQ(plain.capacity, Bytes(32'000'000'000));
  const MemoryVerdict mxnet =
      *on_v100("{ model: vgg16, batch: 2, memory: mxnet-dgx1, optimizer: adam }").memory;
  EXPECT_GT(mxnet.required.context, 0);
  EXPECT_GT(mxnet.required.total(), plain.required.total());
  EXPECT_LT(on_v100("{ model: vgg16, sharding: 2 }").memory->required.parameters.total(),
            plain.required.parameters.total() / 2);
  EXPECT_THROW(on_v100("{ model: vgg16, memory: mxnet }"), InputError);
  EXPECT_THROW(on_v100("{ model: vgg16, sharding: 3 }"), InputError);
  expect_error("{ model: vgg16, peak: 1 TFLOP/s, optimizer: adam }",
               "`optimizer` is about the memory of a `device`, which the run does not have");
}

}  // namespace
}  // namespace orrery::core::yaml_workload_test
