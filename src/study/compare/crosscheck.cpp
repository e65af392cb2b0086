#include "study/compare/crosscheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <span>

#include "study/run/run.hpp"

namespace orrery::core {
namespace {

constexpr Column<CheckedRun> crosscheck_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return std::string_view(row.run); }, "run"},
    {"model", "",
     "The [network model](inputs/networks.md#network-models), or `library` for the closed forms of NCCL or "
     "of the "
     "library that the system names.",
     [](auto& row) { return row.model; }, "model"},
    {"total_us", "us", "Time until the last NPU ends. The cell is empty where the model does not apply.",
     [](auto& row) { return row.why_not.empty() ? std::optional(row.total) : std::nullopt; }, "total"},
    {"ratio", "ratio",
     "That time divided by the time with the finest model that applies to the run, which is the last one.",
     [](auto& row) { return row.why_not.empty() ? std::optional(row.ratio) : std::nullopt; },
     "to the finest"},
    {"exposed_us", "us", "Exposed communication.",
     [](auto& row) { return row.why_not.empty() ? std::optional(row.exposed) : std::nullopt; }, "exposed"},
    {"layer", "", "Layer that waits longest for communication, where there are layers.",
     [](auto& row) { return std::string_view(row.layer); }, "waits most"},
    {"link", "", "Busiest link, where something is known about links.",
     [](auto& row) { return std::string_view(row.link); }, "busiest link"},
    {"link_use", "share", "Busy time of that link as a share of the time of the run.",
     [](auto& row) {
       return row.link.empty() ? std::nullopt : std::optional(Real{row.link_use, 6});
     },
     "use"},
    {"events", "", "Number of events that the simulation took.",
     [](auto& row) { return row.why_not.empty() ? std::optional(row.events) : std::nullopt; }},
    {"", "us", "", [](auto& row) { return row.why_not.empty() ? std::optional(row.wall) : std::nullopt; },
     "wall time"},
    {"why_not", "", "Why the model does not apply.", [](auto& row) { return std::string_view(row.why_not); }},
};

struct Model {
  std::string_view name;
  RunSpec spec;
};

// Returns the models from the coarsest to the finest.
std::vector<Model> models_of(const RunSpec& spec) {
  if (!spec.has_network()) return {{"library", spec}};
  std::vector<Model> models{{"library", spec}};
  RunSpec& library = models[0].spec;
  if (!library.system->library) library.system.edit().library = {"nccl", {}, no_files()};
  library.network.model = &analytical_model;
  library.network_model_where = {};
  std::vector<NetworkModel> networks;
  for (const auto& [word, model] : network_model_words) networks.push_back(model);
  if (!std::ranges::count(networks, spec.network.model)) networks.push_back(spec.network.model);
  std::ranges::stable_sort(networks, {}, &NetworkModelKind::detail);
  for (const NetworkModel network : networks) {
    RunSpec one = spec;
    one.network.model = network;
    one.network_model_where = {};  // nobody has chosen this one
    if (one.system->library) one.system.edit().library.reset();
    models.push_back({network->name, std::move(one)});
  }
  return models;
}

CheckedRun check(const Model& model, Warnings& warnings) {
  CheckedRun checked;
  checked.run = model.spec.name;
  checked.model = model.name;
  const auto begin = std::chrono::steady_clock::now();
  const RunResult result = carry_out(model.spec, warnings);
  const Summary summary = model.spec.workload->summary(model.spec, result);
  checked.wall = Time::from_ns_rounded(
      std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
  checked.total = summary.total;
  checked.exposed = summary.time.exposed;
  checked.events = result.recording.events;
  const NetworkModel network = model.spec.network.model;
  if (model.spec.has_network() && network->beyond_coarser)
    checked.beyond_coarser = network->beyond_coarser(*model.spec.topology);
  if (const auto worst = summary.worst_layers(1); !worst.empty()) checked.layer = worst[0]->name;
  if (!summary.busiest_links.empty()) {
    const BusiestLinks& link = summary.busiest_links.front();
    checked.link = fmt::format("{} to {}", link.from, link.to);
    checked.link_use = link.utilization;
  }
  return checked;
}

// Says what a coarser model leaves out that the finest one has.
std::string difference(const CheckedRun& coarse, const CheckedRun& finest) {
  constexpr double same = 0.005;
  if (coarse.ratio > 1 - same && coarse.ratio < 1 + same) return {};
  const double percent = std::abs(coarse.ratio - 1) * 100;
  std::string text = fmt::format("{}: {} is {:.1f} % {} than {}", coarse.run, coarse.model, percent,
                                 coarse.ratio < 1 ? "shorter" : "longer", finest.model);
  if (coarse.model == "library")
    return text + ": a library has its own algorithms and speeds, and its closed forms know no links.";
  const Time more =
      coarse.exposed < finest.exposed ? finest.exposed - coarse.exposed : coarse.exposed - finest.exposed;
  text += fmt::format(": {} {} of communication are exposed", readable(Cell(more), "us"),
                      coarse.exposed < finest.exposed ? "less" : "more");
  if (!finest.link.empty())
    text +=
        fmt::format("; where messages meet, {} is used {:.0f} % of the time in {} and {:.0f} % in {}",
                    finest.link, finest.link_use * 100, finest.model, coarse.link_use * 100, coarse.model);
  return text + ".";
}

}  // namespace

const Table<CheckedRun> crosscheck_table = crosscheck_columns;

std::vector<CheckedRun> crosscheck(const Experiment& experiment, Warnings& warnings,
                                   const StepListener& told) {
  std::vector<CheckedRun> checked;
  std::size_t simulations = 0;
  for (const RunSpec& spec : experiment.runs) {
    prepare_run(spec, warnings);  // throws what is wrong with the run itself
    simulations += models_of(spec).size();
  }
  for (const RunSpec& spec : experiment.runs) {
    const std::size_t first = checked.size();
    for (const Model& model : models_of(spec)) {
      told(checked.size(), simulations, "simulations");
      CheckedRun one;
      one.run = spec.name;
      one.model = model.name;
      if (const InputFault fault = fault_in([&] { one = check(model, warnings); }))
        one.why_not = text_of(*fault);
      checked.push_back(std::move(one));
    }
    const std::span<CheckedRun> runs(checked.begin() + static_cast<std::ptrdiff_t>(first), checked.end());
    const auto finest = std::ranges::find_if(runs.rbegin(), runs.rend(),
                                             [](const CheckedRun& run) { return run.why_not.empty(); });
    if (finest == runs.rend() || finest->total == Time()) continue;
    for (CheckedRun& run : runs) run.ratio = run.total.ns() / finest->total.ns();
  }
  return checked;
}

std::string crosscheck_text(const std::vector<CheckedRun>& runs) {
  std::vector<CheckedRun> applied;
  std::map<std::pair<std::string_view, std::string>, std::vector<std::string>>
      without;  // runs, by model and why
  for (const CheckedRun& run : runs) {
    if (run.why_not.empty())
      applied.push_back(run);
    else
      without[{run.model, run.why_not}].push_back(run.run);
  }
  std::string notes;
  bool differs = false;  // a model of the present run
  for (std::size_t i = 0; i < applied.size(); ++i) {
    std::size_t finest = i;
    while (finest + 1 < applied.size() && applied[finest + 1].run == applied[i].run) ++finest;
    const std::string text = difference(applied[i], applied[finest]);
    if (!text.empty()) notes += wrapped(text, 2) + "\n";
    differs |= !text.empty();
    if (i != finest) continue;
    if (differs && !applied[i].beyond_coarser.empty())
      notes += wrapped(fmt::format("{}: {}.", applied[i].run, applied[i].beyond_coarser), 2) + "\n";
    differs = false;
  }
  for (const auto& [what, names] : without) {
    const std::string others = names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "";
    notes +=
        wrapped(fmt::format("{} does not apply to {}{}: {}", what.first, names[0], others, what.second), 2) +
        "\n";
  }
  return text_of(crosscheck_table, applied) + (notes.empty() ? "" : "\n" + notes);
}

}  // namespace orrery::core
