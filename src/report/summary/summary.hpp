// Sums up one run in a few numbers, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "memory/memory_verdict.hpp"
#include "report/accuracy/error_interval.hpp"
#include "report/breakdown/breakdown.hpp"
#include "report/network/link_report.hpp"
#include "report/statistics/staleness.hpp"
#include "report/summary/origin.hpp"
#include "simulate/run/simulation.hpp"

namespace orrery::core {

using LayerSummary = LayerTime;

struct DimensionSummary {
  std::string name;
  std::string kind;  // "ring of 16"
  Bytes payload;     // sent by one NPU
  double busy = 0;   // share of the run's time in which a chunk is served there
};

// Results of one part of a program whose ranks do different things, such as a stage of a pipeline.
struct PartSummary {
  std::string name;
  std::size_t npus = 1;
  TimeParts time;                            // means over its ranks; they add up to the run's total
  Time awaits_messages, awaits_collectives;  // times in which it waits for them, bubble or not
  double micro_batches_in_flight = 0;        // 0: it is no pipeline
  double memory = 0;                         // bytes; 0: not known
};

// Holds the results that only inference has. Bytes are those of the fullest device.
struct InferenceSummary {
  std::string phase;
  double weights = 0, cache = 0;    // `cache`: keys and values
  std::uint64_t largest_batch = 0;  // sequences of a step that would fit, over all replicas
};

// Results of a transformer's training step, or of a step of inference.
struct TrainingSummary {
  std::string device, model;
  std::string software;            // name of the stack
  bool software_is_named = false;  // else nobody has said which software trains
  std::string layout;              // how ranks share the work, "tensor 8, data 4"
  // Links of a platform, "nvlink4 in nodes of 8, ib-ndr between them". It is empty where there is a network.
  std::string links;
  double tokens_per_second = 0;
  double model_flop_utilization = 0, hardware_flop_utilization = 0;
  struct Axis {
    std::string name;
    Time exposed;
    std::string collectives = {};  // kinds of the collectives along it, with commas between them
  };
  std::vector<Axis> axes;  // communication that is waited for, along each axis of parallelism
  // Bytes: needed by the largest stage, usable on a device, and all that a device has.
  double memory = 0, usable = 0, device_memory = 0;
  std::optional<InferenceSummary> inference = {};  // none: it is training
};

// How the end of a run depends on the seed of its ways. Everything else that is said about the run is of the
// seed whose end is nearest to the mean.
struct HashSpread {
  std::size_t seeds = 0;
  Time mean, least, most;  // of the ends
};

// Returns none where there is but one seed.
std::optional<HashSpread> hash_spread(const std::vector<Time>& totals_by_seed);

// How fast NPUs train that exchange gradients by parameter servers.
struct ServedPace {
  TrainingPace pace;
  // Time until the model is as good as the user wants it; none where the user does not say, or it never is.
  std::optional<double> seconds_to_accuracy;
};

struct Summary {
  std::string name;
  std::string error;  // why the run failed; then nothing else is known than its name and what was varied
  std::vector<std::string> warnings;  // warnings of the run; filled in by the caller that knows them
  std::string work;                   // what is trained: passes of runs with equal words do equal work
  std::vector<std::pair<std::string, std::string>> varied;  // keys in which runs differ, and its values
  std::string dialect;
  int npus = 0;
  int iterations = 0;
  Time total;                        // until the last rank's program has ended
  TimeParts time;                    // what it goes to, as means over ranks; they add up to the total
  std::optional<StageTimes> stages;  // of training; none where operations do not say which they belong to
  RankId last_rank;                  // the rank that ends last, the lowest if there are several
  Time rank_0_total;                 // until rank 0's program has ended
  std::optional<HashSpread> hashes;  // for runs with several seeds; filled in by the caller that knows them
  std::vector<Time> iteration_ends;
  std::optional<double> epoch_seconds;  // filled in by the caller that knows how many samples are of interest
  std::optional<int>
      staleness;  // for parameter servers: the most training steps that one rank was ahead of another
  std::optional<ServedPace> served;  // for parameter servers
  std::vector<PartSummary> parts;    // empty where all ranks do the same
  std::vector<LayerSummary> layers;  // in the workload's order
  std::vector<DimensionSummary> dimensions;
  bool has_network =
      true;  // else messages take what a platform's library says, and nothing is known of links
  std::string network_model = "analytical";  // the word by which users choose it
  bool messages_meet = false;                // it carries all messages, so that they wait for one another
  std::vector<BusiestLinks> busiest_links;   // the busiest links of each dimension, the busiest first
  std::vector<SwitchUse> fullest_switches;   // up to 8 of those that packets passed, the fullest first
  std::vector<PacketLatencies> latencies;    // for a network of flits
  std::optional<double> network_cost;        // dollars; none where prices are not known
  std::uint64_t messages = 0;
  std::optional<TrainingSummary> training;
  std::optional<PredictionAccuracy> accuracy;  // none: no measured runs tell
  std::optional<double> inferred_per_second;   // samples, where a model of layers is used and not trained
  std::optional<MemoryVerdict> memory;  // for a model on a device; filled in by the caller that knows it

  // Keeps the first of the switches. The fullest have to come first.
  void set_switches(const std::vector<SwitchUse>& switches);
  double share_of(Time part) const { return total > Time() ? part.ns() / total.ns() : 0; }
  double exposed_share() const { return share_of(time.exposed); }
  double bubble_share() const { return share_of(time.bubble); }
  // Returns the layers with most exposed communication, worst first, without those that have none.
  std::vector<const LayerSummary*> worst_layers(std::size_t most) const;
  // Returns the busiest dimension, or null when nothing is sent.
  const DimensionSummary* busiest_dimension() const;
  // Returns the links that exceed what they can carry by most, or null where no links do.
  const BusiestLinks* overloaded_links() const;
};

// `breakdown` is that of the recording.
Summary summarize(const std::string& name, int iterations, const Program& program, const Machine& machine,
                  const Recording& recording, const Breakdown& breakdown);

// Returns "ring of 16", or "groups of 16" for a graph.
std::string described(const Dimension& dimension, const Topology& topology);

// Times are in microseconds, sizes in bytes; docs/outputs/summary.md lists the keys.
nlohmann::json to_json(const Summary& summary);

// Returns the same as text, without a line end.
std::string json_text(const Summary& summary);
// The pieces of summary.json, which together make the file: an experiment with what json_text() returns for
// each of its runs.
std::string experiment_json_head(const std::string& experiment, const Origin& origin);
std::string experiment_json_run(const std::string& run, bool first);
std::string experiment_json_end();

}  // namespace orrery::core
