// Training steps of transformers on platforms.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"
#include "base/input/input_node.hpp"
#include "study/workloads/transformer/training_step.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::training_step_test {
namespace {

TrainingSetup setup_of(const std::string& workload, const std::string& platform = "dgx-a100") {
  Warnings warnings;
  return read_yaml_transformer(parse_yaml(workload, "w.yaml"),
                               read_platform(parse_yaml(platform, "p.yaml"), {}, InputLog()), {}, InputLog(),
                               warnings);
}

TrainingResult run(const std::string& workload, const std::string& platform = "dgx-a100") {
  return simulate_training_step(setup_of(workload, platform));
}

// Links that take next to no time, and no software.
const std::string ideal = "{ base: dgx-a100, library: ideal, stack: none }";

TEST(TrainingStep, PartsAddUp) {
  for (const char* const parallelism :
       {"{ tensor: 8 }", "{ tensor: 8, sequence: true, pipeline: 4, data: 2, zero: 1 }",
        "{ data: 16, zero: 3 }",
        "{ tensor: 4, pipeline: 4, schedule: interleaved, virtual-stages: 2, data: 2 }",
        "{ tensor: 2, context: 4, data: 2 }"}) {
    const TrainingResult result =
        run(std::string("{ model: gpt3-6.7b, batch: { global: 64, micro: 1 }, parallelism: ") + parallelism +
            " }");
    EXPECT_EQ(result.step, result.time.sum()) << parallelism;
    EXPECT_GT(result.time.compute.ns(), 0.4 * result.step.ns()) << parallelism;
    EXPECT_GE(result.time.bubble, Time());
    for (const Time time : result.exposed) EXPECT_GE(time, Time());
    EXPECT_GE(result.exposed_pipeline, Time());
    EXPECT_LT(result.model_flop_utilization(), 0.8);
  }
}

// Rounded each by itself, parts added up to some picoseconds more than the step, and what was exposed in all
// was less than nothing.
TEST(TrainingStep, NothingIsExposedWhereNothingIsSent) {
  for (const int sequences : {1, 3, 7, 64, 1000}) {
    const TrainingResult result =
        run("{ model: gpt3-125m, batch: { global: " + std::to_string(sequences) + " } }");
    EXPECT_EQ(result.time.exposed, Time()) << sequences;
    EXPECT_EQ(result.time.bubble, Time()) << sequences;
    EXPECT_EQ(result.time.compute, result.step) << sequences;
  }
}

// Stages that are equal but for embedding and head, which are small here.
TEST(TrainingStep, BubbleIsTheClosedFormWhereStagesAreEqual) {
  const std::string model =
      "{ model: gpt3-175b, batch: { global: 64, micro: 1 }, recompute: full, parallelism: ";
  const TrainingResult plain = run(model + "{ tensor: 8, pipeline: 8 } }", ideal);
  EXPECT_NEAR((plain.time.bubble + plain.time.idle).ns() / plain.time.compute.ns(), 7.0 / 64, 0.03);
  const TrainingResult interleaved =
      run(model + "{ tensor: 8, pipeline: 8, schedule: interleaved, virtual-stages: 3 } }", ideal);
  EXPECT_NEAR((interleaved.time.bubble + interleaved.time.idle).ns() / interleaved.time.compute.ns(),
              7.0 / (64 * 3), 0.03);
}

TEST(TrainingStep, AxesAreExposedWhereTheyAreUsed) {
  const auto at = [](const TrainingResult& result, Axis axis) {
    return result.exposed[static_cast<std::size_t>(axis)].ns();
  };
  const std::string model = "{ model: gpt3-6.7b, batch: { global: 32, micro: 1 }, parallelism: ";
  EXPECT_GT(at(run(model + "{ tensor: 8 } }"), Axis::tensor), 0);
  EXPECT_EQ(at(run(model + "{ tensor: 8 } }"), Axis::data), 0);
  EXPECT_EQ(at(run(model + "{ data: 8 } }"), Axis::tensor), 0);
  EXPECT_GT(at(run(model + "{ data: 8 }, overlap: { gradients: false } }"), Axis::data),
            at(run(model + "{ data: 8 } }"), Axis::data));
  EXPECT_GT(at(run(model + "{ context: 8 } }"), Axis::context), 0);
  EXPECT_GT(run(model + "{ pipeline: 4 } }").exposed_pipeline, Time());
  const TrainingResult experts =
      run("{ model: mixtral-8x7b, batch: { global: 64, micro: 1 }, parallelism: { tensor: 2, data: 8, "
          "expert: 8 } }");
  EXPECT_GT(at(experts, Axis::expert), 0);
}

// Operations are in units of the closed form's 72 B s L h^2, of which x = s/6h are scores and y = V/12hL the
// head (Korthikanti et al., 2022, appendix A). A backward pass takes twice what a forward pass takes. Flash
// attention computes half of the scores, as the others are masked, and its backward pass computes 2.5 times
// as many products of them as its forward pass.
TEST(TrainingStep, HardwareDoesWhatIsComputedAgain) {
  const std::string model =
      "{ model: megatron-22b, batch: { global: 8, micro: 1 }, parallelism: { tensor: 8 }, recompute: ";
  const double s = 2048, h = 6144, layers = 48, v = 51200;
  const double unit = 72 * 8 * s * layers * h * h, x = s / (6 * h), y = v / (12 * h * layers);
  const auto expect = [&](const std::string& more, double of_model, double of_hardware) {
    const TrainingResult result = run(model + more + " }");
    EXPECT_NEAR(result.model_flops / unit, of_model, 1e-9) << more;
    EXPECT_NEAR(result.hardware_flops / unit, of_hardware, 1e-9) << more;
  };
  expect("none, attention: naive", 1 + x + y, 1 + x + y);
  expect("selective, attention: naive", 1 + x + y, 1 + x * 4 / 3 + y);
  expect("full, attention: naive", 1 + x + y, 4.0 / 3 * (1 + x) + y);
  expect("none, attention: flash", 1 + x / 2 + y, 1 + x / 2 * 3.5 / 3 + y);
  expect("selective, attention: flash", 1 + x / 2 + y, 1 + x / 2 * 3.5 / 3 + y);
  expect("full, attention: flash", 1 + x / 2 + y, 4.0 / 3 + x / 2 * 4.5 / 3 + y);
}

// Twice the peak does not halve the step: attention, the head, and everything between products stay as they
// are, in time and memory. The peak is that of the faster format.
TEST(TrainingStep, EightBitsSpeedUpLinearLayersAlone) {
  const std::string model =
      "{ model: llama3-8b, batch: { global: 8, micro: 1 }, parallelism: { tensor: 2 }, attention: flash, "
      "datatype: ";
  const TrainingResult wide = run(model + "bf16 }", "dgx-h100"), narrow = run(model + "fp8 }", "dgx-h100");
  EXPECT_LT(narrow.step.ns(), 0.95 * wide.step.ns());
  EXPECT_GT(narrow.step.ns(), 0.6 * wide.step.ns());
  EXPECT_EQ(narrow.stages[0].memory.total(), wide.stages[0].memory.total());
  EXPECT_EQ(narrow.exposed_pipeline, wide.exposed_pipeline);
  EXPECT_NEAR(narrow.peak_flops, 2 * wide.peak_flops, 1e-3 * narrow.peak_flops);
}

TEST(TrainingStep, RecomputationCostsAForwardPass) {
  const std::string model =
      "{ model: gpt3-6.7b, batch: { global: 8, micro: 1 }, parallelism: { tensor: 8 }, attention: naive, "
      "recompute: ";
  const double none = run(model + "none }").time.compute.ns(), full = run(model + "full }").time.compute.ns();
  EXPECT_GT(full, 1.25 * none);
  EXPECT_LT(full, 1.4 * none);
  const double selective = run(model + "selective }").time.compute.ns();
  EXPECT_GT(selective, none);
  EXPECT_LT(selective, full);
}

TEST(TrainingStep, LayersCanBeSharedOutUnevenly) {
  const std::string model =
      "{ model: gpt3-6.7b, batch: { global: 32, micro: 1 }, parallelism: { tensor: 8, pipeline: 4";
  const TrainingSetup even = setup_of(model + " } }"),
                      given = setup_of(model + ", layers-per-stage: [8, 8, 8, 8] } }");
  EXPECT_EQ(simulate_training_step(even).step, simulate_training_step(given).step);
  const TrainingResult uneven = run(model + ", layers-per-stage: [2, 10, 10, 10] } }");
  EXPECT_LT(uneven.stages[0].time.compute, uneven.stages[1].time.compute);
  EXPECT_LT(uneven.stages[0].memory.total(), uneven.stages[1].memory.total());
  const auto total = [](const TrainingResult& result) {
    return std::accumulate(
        result.stages.begin(), result.stages.end(), 0.0,
        [](double sum, const StageResult& stage) { return sum + stage.time.compute.ns(); });
  };
  EXPECT_NEAR(total(uneven), total(simulate_training_step(even)), 1e-3 * total(uneven));
}

// The stage passes on what it gets.
TEST(TrainingStep, AStageMayHaveNoLayers) {
  const TrainingResult result =
      run("{ model: gpt3-6.7b, batch: { global: 32, micro: 1 }, parallelism: { tensor: 8, pipeline: 3, "
          "layers-per-stage: [16, 0, 16] } }");
  EXPECT_LT(result.stages[1].time.compute.ns(), 1e-3 * result.stages[0].time.compute.ns());
  EXPECT_EQ(result.stages[1].memory.total(), 0);
}

// The work is the same for every replica, so a hundred thousand GPUs cost what the stages cost. Copies of the
// weights in every node take more memory, and gathering stays within the node. Then an all-reduce of an
// eighth of the gradients crosses nodes, instead of two all-gathers and a reduce-scatter of everything.
TEST(TrainingStep, HybridShardingTradesMemoryForTraffic) {
  const std::string model =
      "{ model: llama2-7b, batch: { global: 64, micro: 1 }, attention: flash, "
      "precision: mixed, parallelism: ";
  const std::string platform = "{ base: jean-zay, stack: none }";
  const TrainingResult all = run(model + "{ data: 64, zero: 3 } }", platform);
  const TrainingResult hybrid = run(model + "{ data: 64, zero: 3, shard: 8 } }", platform);
  const TrainingResult same = run(model + "{ data: 64, zero: 3, shard: 64 } }", platform);
  EXPECT_EQ(same.step, all.step);
  EXPECT_EQ(same.stages[0].memory.total(), all.stages[0].memory.total());
  EXPECT_LT(hybrid.step, all.step);
  const double states = hybrid.stages[0].memory.state.optimizer / all.stages[0].memory.state.optimizer;
  EXPECT_NEAR(states, 8, 1e-9);
}

// A platform's files are found beside the experiment, like all files that an experiment names.
TEST(TrainingStep, FilesOfAPlatformAreBesideTheExperiment) {
  const std::filesystem::path folder = source_dir() + "/share/orrery";
  const std::string map = "{ device: ./devices/h100.yaml, inside: nvlink4, library: libraries/ideal.yaml }";
  const Platform platform = read_platform(parse_yaml(map, "p.yaml"), folder, InputLog());
  EXPECT_EQ(platform.device.facts.name, find_computing_device("h100", {}, no_files()).facts.name);
}

std::string platform_error(const std::string& platform, const std::filesystem::path& folder = {}) {
  try {
    read_platform(parse_yaml(platform, "p.yaml"), folder, InputLog());
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TrainingStep, APlatformMayBeAFile) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "platform-files";
  std::filesystem::create_directories(folder / "nodes");
  const auto write = [&](const char* name, const char* text) {
    write_file_atomically((folder / name).string(), text);
  };
  const std::string path = (folder / "nodes/mine.yaml").string();
  write("nodes/mine.yaml", "base: ./theirs.yaml\nbetween: roce-100g\n");
  write("nodes/theirs.yaml", "base: dgx-h100\nlibrary: ../library.yaml\ngpus-per-node: 4\n");
  write("library.yaml",
        "name: round\ninside: { nvlink4: { bandwidth: 1 GB/s } }\nbetween: { roce-100g: { bandwidth: 1 GB/s "
        "} }\n");
  const Platform named = read_platform(parse_yaml("dgx-h100", "p.yaml"), {}, InputLog());
  for (const Platform& platform :
       {read_platform(parse_yaml(path, "p.yaml"), {}, InputLog()),
        read_platform(parse_yaml("nodes/mine.yaml", "p.yaml"), folder, InputLog()),
        read_platform(parse_yaml("{ base: nodes/mine.yaml }", "p.yaml"), folder, InputLog())}) {
    EXPECT_EQ(platform.device.facts.name, named.device.facts.name);
    EXPECT_EQ(platform.stack.name, named.stack.name);
    EXPECT_EQ(platform.library->constants().name, "round");
    EXPECT_EQ(platform.library->links().gpus_per_node, 4);
    EXPECT_EQ(platform.library->links().between.text(), "roce-100g");
  }
  write("circle.yaml", "base: ./circle.yaml\n");
  EXPECT_EQ(platform_error("./circle.yaml", folder),
            (folder / "circle.yaml").string() +
                ":1:7: error: there are more than 16 files over one another; is one of them "
                "its own `base`?");
}

// Nobody may take devices and links alone for training without saying so, nor by naming one key of a stack.
TEST(TrainingStep, SoftwareThatNobodyNamesIsTheGenericOne) {
  const auto read = [](const std::string& text, Purpose purpose) {
    return read_platform(parse_yaml(text, "p.yaml"), {}, InputLog(), {LinksOf::platform, purpose});
  };
  const auto stack_of = [&](const std::string& text, Purpose purpose) { return read(text, purpose).stack; };
  const std::string machine = "{ device: h100, inside: nvlink4";
  const SoftwareStack generic = stack_of("{ base: dgx-h100, stack: generic }", Purpose::training);
  EXPECT_GT(generic.kernel_slowdown, 1);
  for (const std::string& text :
       {std::string("dgx-h100"), machine + " }", machine + ", stack: { bucket: 7 MiB } }",
        std::string("{ base: dgx-h100, stack: { bucket: 7 MiB } }")}) {
    const SoftwareStack training = stack_of(text, Purpose::training);
    EXPECT_EQ(training.name, generic.name) << text;
    EXPECT_FALSE(read(text, Purpose::training).stack_is_named) << text;
    EXPECT_EQ(training.kernel_slowdown, generic.kernel_slowdown) << text;
    EXPECT_EQ(training.attention, AttentionKind::flash) << text;
    EXPECT_EQ(training.bucket, text.find("bucket") == text.npos ? generic.bucket : Bytes(7 << 20)) << text;
    EXPECT_EQ(stack_of(text, Purpose::inference).kernel_slowdown, 1) << text;
  }
  EXPECT_EQ(
      stack_of("{ base: dgx-h100, stack: { base: none, bucket: 7 MiB } }", Purpose::training).kernel_slowdown,
      1);
}

// Where a map of `stack` or of links does not give a value, that of the platform's base holds.
TEST(TrainingStep, MapsWithinAPlatformGoOverThoseOfItsBase) {
  const auto platform = [](const std::string& text) {
    return read_platform(parse_yaml(text, "p.yaml"), {}, InputLog());
  };
  const SoftwareStack named = platform("dgx-h100").stack;
  const SoftwareStack stack = platform("{ base: dgx-h100, stack: { bucket: 7 MiB } }").stack;
  EXPECT_EQ(stack.bucket, Bytes(7 << 20));
  EXPECT_EQ(stack.kernel_slowdown, named.kernel_slowdown);
  EXPECT_EQ(stack.elementwise_slowdown, named.elementwise_slowdown);
  EXPECT_EQ(platform("{ base: dgx-h100, stack: none }").stack.elementwise_slowdown, 1);
  const Platform half = platform("{ base: dgx-h100, between: { bandwidth: 25 GB/s } }");
  const Platform same = platform("{ base: dgx-h100, between: { base: ib-ndr, bandwidth: 25 GB/s } }");
  const double bytes = 1e8;
  EXPECT_EQ(half.library->seconds(CollectiveKind::all_reduce, bytes, {64, 8}),
            same.library->seconds(CollectiveKind::all_reduce, bytes, {64, 8}));
  EXPECT_TRUE(half.library->notes().empty());
  EXPECT_EQ(platform_error("{ between: ib-ndr, device: h100 }"),
            "p.yaml:1:1: error: a platform needs the key `inside`, or a `base` that has it");
}

// The kernels of a stack count in the place of the device's, beside collectives as well.
TEST(TrainingStep, AStackNamesKernels) {
  const auto platform = [](const std::string& text) {
    return read_platform(parse_yaml("{ base: dgx-h100, stack: " + text + " }", "p.yaml"), {}, InputLog());
  };
  const Operator attention{"attention", Attention{4096, 4096, 64, 64, 128, 128, true}, Datatype::bf16};
  const Operator norm{"norm", Elementwise{0, 1 << 26, 1 << 26, PointwiseKind::norm, false}, Datatype::bf16};
  const auto seconds = [&](const Operator& op, const std::string& stack) {
    return platform(stack).device.model->cost(op).seconds;
  };
  const std::string slower = "{ base: none, attention-kernel: flash-attention-2-hopper }";
  EXPECT_GT(seconds(attention, slower), 1.5 * seconds(attention, "none"));
  EXPECT_EQ(seconds(norm, slower), seconds(norm, "none"));
  const std::string eager = "{ base: none, pointwise: eager }";
  EXPECT_GT(seconds(norm, eager), 1.2 * seconds(norm, "none"));
  EXPECT_EQ(seconds(attention, eager), seconds(attention, "none"));
  const Platform both = platform("{ base: none, pointwise: { norm: { forward: 3 } } }");
  const OperatorCost alone = both.device.model->cost(norm);
  EXPECT_EQ(alone.bytes_read, 3 * 2.0 * (1 << 26));
  ASSERT_TRUE(both.contended);
  EXPECT_GT(both.contended->more_seconds(norm, alone),
            2 * platform("none").contended->more_seconds(norm, platform("none").device.model->cost(norm)));
}

// A pipeline of 64 stages and 128 micro-batches takes 191 passes: if not of the mean stage, then at most of
// the slowest one. 192 pipelines side by side compute what one does, and take longer by their exchanges of
// gradients and weights only.
TEST(TrainingStep, OfAHundredThousandGpus) {
  const auto pipelines = [](int count) {
    return run("{ model: megatron-1008b, batch: { global: " + std::to_string(128 * count) +
                   ", micro: 1 }, recompute: full, parallelism: { tensor: 8, pipeline: 64, data: " +
                   std::to_string(count) + ", zero: 1 } }",
               "dgx-h100");
  };
  const TrainingResult one = pipelines(1), all = pipelines(192);
  EXPECT_EQ(all.stages.size(), 64u);
  Time slowest;
  for (const StageResult& stage : one.stages) slowest = std::max(slowest, stage.time.compute);
  EXPECT_GE((one.time.compute + one.time.bubble + one.time.idle).ns(),
            one.time.compute.ns() * (128 + 63) / 128);
  EXPECT_LE((one.time.compute + one.time.bubble + one.time.idle).ns(), slowest.ns() * (128 + 63) / 128);
  EXPECT_NEAR(all.time.compute.ns() / one.time.compute.ns(), 1, 0.02);  // the update is shared
  EXPECT_NEAR(all.time.bubble.ns() / one.time.bubble.ns(), 1, 0.02);
  EXPECT_GT(all.step, one.step - (one.time.compute - all.time.compute));
  EXPECT_LT(all.step.ns(), 1.2 * one.step.ns());
}

}  // namespace
}  // namespace orrery::core::test::training_step_test
