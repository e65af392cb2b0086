// Everything that says how long a training step of a transformer takes.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/library/collective_library.hpp"
#include "compute/contention.hpp"
#include "compute/device_model.hpp"
#include "memory/parameter_state.hpp"
#include "workload/pipeline/pipeline_schedule.hpp"
#include "workload/training/block_time.hpp"
#include "workload/training/rank_mesh.hpp"
#include "workload/training/transfer_times.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

// The time that a training framework adds to that of devices and links. At most two constants of a stack are
// fitted.
struct SoftwareStack {
  std::string name, source;
  Time host_time_per_operator;  // to launch an operator
  Time host_time_per_exchange;  // to start a collective within a layer
  // Factors on the time of an operator by itself, because clocks fall under load, kernels are not the
  // fastest, or passes are not fused.
  double kernel_slowdown = 1;       // on the time of products and attention
  double elementwise_slowdown = 1;  // on the time of all other operators
  // Factors on the speed that the collective library reaches by itself.
  double exchange_efficiency = 1;  // of collectives within layers
  double sharding_efficiency = 1;  // of exchanges of gradients and weights
  // Matrix units need alignment (compute/aligned_batches.hpp).
  bool batches_need_alignment = false;
  Time time_per_pass;                              // added to each pass of a micro-batch through a chunk
  Bytes bucket = Bytes(25 << 20);                  // gradients that are reduced together
  AttentionKind attention = AttentionKind::naive;  // used unless the workload says so
  // Kernels of fused attention and of operators without products. None: those that the device has by itself.
  std::optional<AttentionKernel> attention_kernel;
  std::optional<PointwiseKernels> pointwise;

  bool operator==(const SoftwareStack&) const = default;
};

struct TrainingSetup {
  Transformer model;
  TransformerPlan plan;
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::array<MeshAxis, mesh_axes> order = RankMesh{}.order;
  // Gradients are reduced while the backward pass goes on, otherwise after it.
  bool overlap_gradients = true;
  bool overlap_parameters = true;  // with ZeRO 1 and 2, weights are gathered while the next step begins
  bool overlap_messages = false;   // a stage computes while it sends to the next
  Optimizer optimizer = Optimizer::adam;
  Precision precision = Precision::mixed_fp32_gradients;

  ComputingDevice device;
  // Carries out collectives. None: they are messages, and only a simulation of their network knows what they
  // take.
  std::optional<CollectiveLibrary> library;
  SoftwareStack stack;
  bool stack_is_named = true;  // else nobody has said which software trains, and the usual one counts
  SourceLocation where;        // where the user describes the training
  // Messages between stages may take different times. Then ranks whose layers communicate begin a pass when
  // the last of them has got its message.
  bool passes_begin_together = false;
  ExchangeTime exchange_time = {};  // time of collectives within layers; empty: as the library says, if any
  // Says what all exchanges take where there is no library. Null: nobody knows.
  std::shared_ptr<const TransferTimes> transfers = {};
  // The device while collectives are under way. Null: they take nothing of it.
  std::shared_ptr<const ContendedDevice> contended = {};

  RankMesh mesh() const {
    return {{plan.tensor, plan.context, plan.expert, plan.data / plan.expert, plan.pipeline}, order};
  }
  PipelineShape pipeline() const {
    return {schedule, static_cast<int>(plan.pipeline), static_cast<int>(plan.micro_batches()),
            static_cast<int>(plan.chunks)};
  }
  std::uint64_t gpus() const { return plan.ranks(); }
  // Returns how many consecutive ranks are in a node. Without a library nobody tells nodes apart.
  int gpus_per_node() const { return library ? library->links().gpus_per_node : static_cast<int>(gpus()); }
};

}  // namespace orrery::core
