#include "study/search/swept_search.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/input/map_entries.hpp"
#include "study/experiment/pieces/named_definitions.hpp"
#include "study/run/run_pool.hpp"
#include "study/search/estimated_layouts.hpp"
#include "study/search/layout_table.hpp"
#include "study/search/layout_values.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

struct SweptSearch::Start {
  SweepPoint point;
  RunSpec run;
  const TrainingSetup* base = nullptr;
  std::unique_ptr<StepEstimates> estimates;
  std::unique_ptr<EstimatedLayouts> layouts;
};

namespace {

constexpr std::size_t most_starts = 10'000;

// The layouts stand in the keys of `workload`, so these have to be there.
InputNode with_whole_workload(const InputNode& document) {
  InputNode changed = document;
  InputNode* const workload = changed.find("workload");
  if (!workload) throw InputError(document.where, "has no `workload`; give it one");
  NamedDefinitions workloads("workloads");
  workloads.take(document.find("workloads"));
  *workload = InputNode(workloads.resolve(*workload));
  return changed;
}

// A search chooses these, so that nobody else can.
void refuse_varied_layouts(const SweepSpace& space) {
  for (const SweptKey& key : space.keys) {
    if (key.path == "workload" || is_at_or_below(key.path, "workloads"))
      throw InputError(
          key.where,
          "a search varies layouts in the keys of `workload`; vary its keys in place of the whole");
    for (const std::string_view chosen : layout_key_paths()) {
      const std::string path = "workload." + std::string(chosen);
      if (is_at_or_below(key.path, path) || is_at_or_below(path, key.path))
        throw InputError(key.where, backquoted(key.path) +
                                        " is what a search chooses; leave it out, or keep the value "
                                        "of the file with --keep");
    }
  }
}

InputNode list_node(const SourceLocation& where) {
  InputNode list;
  list.kind = InputNode::Kind::list;
  list.where = where;
  return list;
}

}  // namespace

SweptSearch::SweptSearch(InputNode document, const std::string& file, const FileLoader& load,
                         const SearchOptions& options)
    : document_(with_whole_workload(document)),
      sweep_(std::make_unique<SweptRuns>(document, file)),
      options_(options) {
  refuse_varied_layouts(sweep_->space());
  if (sweep_->size() > most_starts)
    throw InputError(sweep_->space().where, fmt::format("has {} runs, but a search starts from at most {}",
                                                        sweep_->size(), most_starts));
  KeyUse use;
  Warnings told;
  for (std::size_t number = 0; number < sweep_->size(); ++number) {
    auto start = std::make_unique<Start>();
    start->point = sweep_->point(number);
    start->run = sweep_->read(start->point, told, load, use);
    start->base = training_of(start->run);
    if (!start->base)
      throw InputError({file},
                       "trains no transformer on a platform, give it the key `platform` "
                       "(docs/inputs/transformers.md, \"Transformers on platforms\")");
    starts_.push_back(std::move(start));
  }
  use.unused.refuse_unused();
  leave_layout_out(*document_.find("workload"));
}

SweptSearch::~SweptSearch() = default;

std::string SweptSearch::name_of(std::size_t start) const {
  return sweep_->name_of(starts_[start]->point);
}

const TrainingSetup& SweptSearch::base(std::size_t start) const {
  return *starts_[start]->base;
}

const LayoutSearch& SweptSearch::search(std::size_t start) const {
  return starts_[start]->layouts->search();
}

void SweptSearch::for_all_starts(const char* what, const StepListener& progress,
                                 const std::function<void(Start&)>& task) {
  run_in_parts(
      starts_.size(), 1, options_.threads, [&](std::size_t start, std::size_t) { task(*starts_[start]); },
      [&](std::size_t done) {
        if (progress) progress(done, starts_.size(), what);
      });
}

// The best of every point are estimated, and then those that may be among the best of all.
void SweptSearch::estimate(const StepListener& progress) {
  for_all_starts("points searched", progress, [this](Start& start) {
    SearchOptions options = on_network_of(start.run, *start.base, options_);
    options.space.gpus = start.base->gpus();
    options.threads = 1;
    options.top = (options_.top + starts_.size() - 1) / starts_.size();
    start.estimates = std::make_unique<StepEstimates>(start.run, *start.base);
    start.layouts = std::make_unique<EstimatedLayouts>(*start.base, *start.estimates, options);
    start.layouts->estimate_best();
  });
  if (count(LayoutVerdict::estimated) == 0) {
    const Start& first = *starts_.front();
    throw InputError(first.base->where, why_none_fits(*first.base, first.layouts->search()));
  }
  std::vector<double> values;
  for (const Candidate& one : candidates())
    if (one.found->verdict == LayoutVerdict::estimated) values.push_back(value(one));
  std::ranges::sort(values);
  if (values.size() >= options_.top) estimate_below(values[options_.top - 1], progress);
}

void SweptSearch::estimate_below(double to_beat, const StepListener& progress) {
  for_all_starts("points searched again", progress,
                 [&](Start& start) { start.layouts->estimate_below(to_beat); });
}

double SweptSearch::value(const Candidate& candidate) const {
  const SearchedLayout& found = *candidate.found;
  return value_of(options_.objective, found.layout.plan,
                  found.verdict == LayoutVerdict::simulated ? found.step : found.estimate);
}

std::vector<SweptSearch::Candidate> SweptSearch::candidates() const {
  std::vector<Candidate> all;
  for (std::size_t start = 0; start < starts_.size(); ++start)
    for (SearchedLayout& one : starts_[start]->layouts->search().layouts)
      if (one.verdict == LayoutVerdict::estimated || one.verdict == LayoutVerdict::simulated ||
          one.verdict == LayoutVerdict::failed)
        all.push_back({start, &one});
  return all;
}

std::optional<InputNode> SweptSearch::next() {
  std::vector<Candidate> all = candidates();
  const auto contenders = [&] {
    std::vector<Contender> known;
    for (const Candidate& one : all)
      known.push_back({value(one), one.found->verdict == LayoutVerdict::simulated,
                       one.found->verdict == LayoutVerdict::failed});
    return known;
  };
  const std::size_t most = options_.exhaustive ? all.size() : options_.most_network_runs();
  const std::size_t top = options_.exhaustive ? all.size() : options_.top;
  if (asked_for_.size() >= most) return std::nullopt;
  if (const auto to_beat = value_to_beat(contenders(), top)) {
    estimate_below(*to_beat, {});
    all = candidates();
  }
  std::vector<std::size_t> places = next_contenders(contenders(), top, all.size());
  places.resize(std::min(places.size(), most - asked_for_.size()));
  if (places.empty()) return std::nullopt;
  told_ = asked_for_.size();
  std::vector<Candidate> chosen;
  for (const std::size_t place : places) chosen.push_back(all[place]);
  asked_for_.insert(asked_for_.end(), chosen.begin(), chosen.end());
  return document_of(chosen);
}

void SweptSearch::tell(std::size_t run, Seconds step, const std::string& failure) {
  SearchedLayout& found = *asked_for_.at(told_ + run).found;
  found.failure = failure;
  found.step = failure.empty() ? step : Seconds();
  found.verdict = failure.empty() ? LayoutVerdict::simulated : LayoutVerdict::failed;
}

std::vector<SweptSearch::Candidate> SweptSearch::ranked() const {
  std::vector<Candidate> all = candidates();
  std::ranges::stable_sort(all, [this](const Candidate& a, const Candidate& b) {
    return std::tuple(a.found->verdict, value(a)) < std::tuple(b.found->verdict, value(b));
  });
  return all;
}

std::optional<SweptSearch::Candidate> SweptSearch::best_at(std::size_t start) const {
  std::optional<Candidate> best;
  for (SearchedLayout& one : starts_[start]->layouts->search().layouts) {
    const Candidate candidate{start, &one};
    if (one.verdict != LayoutVerdict::estimated && one.verdict != LayoutVerdict::simulated) continue;
    if (!best || value(candidate) < value(*best)) best = candidate;
  }
  return best;
}

std::size_t SweptSearch::count(LayoutVerdict verdict) const {
  std::size_t sum = 0;
  for (const auto& start : starts_) sum += start->layouts->search().count(verdict);
  return sum;
}

InputNode SweptSearch::document_of_all() const {
  std::vector<Candidate> all = asked_for_;
  std::ranges::stable_sort(all, [this](const Candidate& a, const Candidate& b) {
    return std::tuple(a.found->verdict, value(a)) < std::tuple(b.found->verdict, value(b));
  });
  return document_of(all);
}

// The runs are the rows of a zip, which has the keys of the sweep and those of layouts.
InputNode SweptSearch::document_of(const std::vector<Candidate>& candidates) const {
  const SweepSpace& space = sweep_->space();
  InputNode zip;
  zip.kind = InputNode::Kind::map;
  zip.where = space.where;
  for (std::size_t key = 0; key < space.keys.size(); ++key) {
    InputNode values = list_node(space.keys[key].where);
    for (const Candidate& one : candidates)
      values.items.push_back(starts_[one.start]->point.values[key]->node);
    set_entry(zip, space.keys[key].path, std::move(values));
  }
  std::vector<InputNode> columns(layout_key_paths().size(), list_node(space.where));
  for (const Candidate& one : candidates) {
    std::vector<InputNode> values = layout_values(base(one.start), one.found->layout);
    for (std::size_t key = 0; key < columns.size(); ++key)
      columns[key].items.push_back(std::move(values[key]));
  }
  for (std::size_t key = 0; key < columns.size(); ++key)
    set_entry(zip, "workload." + std::string(layout_key_paths()[key]), std::move(columns[key]));
  InputNode sweep;
  sweep.kind = InputNode::Kind::map;
  sweep.where = space.where;
  set_entry(sweep, "zip", std::move(zip));
  InputNode document = document_;
  set_entry(document, "sweep", std::move(sweep));
  return document;
}

}  // namespace orrery::core
