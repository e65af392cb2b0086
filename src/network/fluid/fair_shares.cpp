#include "network/fluid/fair_shares.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace orrery {
namespace {

// Rates that differ by less than this share are equal except for rounding.
constexpr double rounding = 1e-11;

}  // namespace

std::uint32_t FairShares::add_resource(double capacity) {
  assert(capacity > 0);
  resources_.push_back({capacity, {}});
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

std::uint32_t FairShares::add_way(std::span<const Use> uses) {
  assert(!uses.empty());
  ways_.push_back({static_cast<std::uint32_t>(uses_.size()), static_cast<std::uint32_t>(uses.size())});
  for (const Use& use : uses) uses_.push_back({use});
  return static_cast<std::uint32_t>(ways_.size() - 1);
}

std::uint32_t FairShares::split(std::uint32_t resource) {
  const std::uint32_t added = add_resource(resources_[resource].capacity);
  for (std::uint32_t number = 0; number < ways_.size(); ++number) {
    Way& way = ways_[number];
    const std::vector<PlacedUse> uses(uses_of(way).begin(), uses_of(way).end());
    const auto use = std::ranges::find(uses, resource, &PlacedUse::resource);
    if (use == uses.end()) continue;
    if (way.flows > 0) strike(way);
    way.first_use = static_cast<std::uint32_t>(uses_.size());
    ++way.uses;
    uses_.insert(uses_.end(), uses.begin(), uses.end());
    uses_.push_back({{added, use->weight}});
    if (way.flows > 0) enlist(number);
  }
  return added;
}

void FairShares::set_flows(std::uint32_t number, std::uint32_t flows) {
  Way& way = ways_[number];
  if (way.flows == flows) return;
  const bool had_flows = way.flows > 0;
  way.flows = flows;
  if (!had_flows) enlist(number);
  if (flows == 0) strike(way);
  mark_changed(number);
}

void FairShares::mark_changed(std::uint32_t number) {
  if (!ways_[number].changed) changed_.push_back(number);
  ways_[number].changed = true;
}

void FairShares::set_capacity(std::uint32_t number, double capacity) {
  assert(capacity > 0);
  resources_[number].capacity = capacity;
  for (const User& user : resources_[number].users) mark_changed(user.way);
}

void FairShares::enlist(std::uint32_t number) {
  const Way& way = ways_[number];
  for (std::uint32_t i = 0; i < way.uses; ++i) {
    PlacedUse& use = uses_[way.first_use + i];
    std::vector<User>& users = resources_[use.resource].users;
    use.place = static_cast<std::uint32_t>(users.size());
    users.push_back({number, way.first_use + i});
  }
}

void FairShares::strike(Way& way) {
  for (PlacedUse& use : uses_of(way)) {
    std::vector<User>& users = resources_[use.resource].users;
    uses_[users.back().use].place = use.place;
    users[use.place] = users.back();
    users.pop_back();
  }
}

void FairShares::visit(std::uint32_t number) {
  Resource& resource = resources_[number];
  if (resource.visited) return;
  resource.visited = true;
  visited_.push_back(number);
}

// Marks the way, so that its rate will be worked out anew.
void FairShares::renew(std::uint32_t number) {
  Way& way = ways_[number];
  if (way.renewed) return;
  way.renewed = true;
  renewed_.push_back(number);
  rates_before_.push_back(way.rate);
  for (const PlacedUse& use : uses_of(way)) visit(use.resource);
}

// Renews the ways that changed.
void FairShares::begin() {
  renewed_.clear();
  rates_before_.clear();
  for (const std::uint32_t number : changed_) {
    for (const PlacedUse& use : uses_of(ways_[number])) visit(use.resource);
    if (ways_[number].flows > 0)
      renew(number);
    else
      ways_[number].rate = 0;
  }
}

double FairShares::level_of(const Resource& resource) const {
  return std::max(resource.left, 0.0) / resource.growing;
}

// Fills up the flows that are renewed, while the rates of all others stay.
void FairShares::fill() {
  for (const std::uint32_t number : renewed_) ways_[number].grows = true;
  std::size_t growing = renewed_.size();
  for (const std::uint32_t number : visited_) {
    Resource& resource = resources_[number];
    resource.left = resource.capacity;
    resource.growing = 0;
    resource.growing_users = 0;
    for (const User& user : resource.users) {
      const Way& way = ways_[user.way];
      const double weight = uses_[user.use].weight * way.flows;
      if (way.grows) {
        resource.growing += weight;
        ++resource.growing_users;
      } else {
        resource.left -= weight * way.rate;
      }
    }
    if (resource.growing_users > 0) levels_.push({level_of(resource), number});
  }
  while (growing > 0) {
    assert(!levels_.empty() && "every way uses a resource");
    const Level level = levels_.top();
    levels_.pop();
    const Resource& resource = resources_[level.resource];
    if (resource.growing_users == 0) continue;
    // Flows that stopped elsewhere have left more for the others.
    const double now = level_of(resource);
    if (now > level.rate) {
      levels_.push({now, level.resource});
      continue;
    }
    growing -= resource.growing_users;
    stop_users(level.resource, level.rate);
  }
  levels_ = {};
}

// The resource is full: the rate of the flows that use it and were growing is now fixed.
void FairShares::stop_users(std::uint32_t number, double rate) {
  for (const User& user : resources_[number].users) {
    Way& way = ways_[user.way];
    if (!way.grows) continue;
    way.grows = false;
    way.rate = rate;
    way.bottleneck = number;
    for (const PlacedUse& use : uses_of(way)) {
      const double weight = use.weight * way.flows;
      Resource& resource = resources_[use.resource];
      resource.left -= weight * rate;
      resource.growing -= weight;
      --resource.growing_users;
    }
  }
}

// Renews further ways: those that have lost their bottleneck, and those that are faster than a renewed one at
// its bottleneck. Returns whether there are any.
bool FairShares::renew_unfair() {
  const std::size_t renewed_before = renewed_.size(), visited_before = visited_.size();
  for (std::size_t i = 0; i < visited_before; ++i) {
    const std::uint32_t number = visited_[i];
    const Resource& resource = resources_[number];
    double fastest = 0, fastest_renewed_here = std::numeric_limits<double>::infinity();
    for (const User& user : resource.users) {
      const Way& way = ways_[user.way];
      fastest = std::max(fastest, way.rate);
      if (way.renewed && way.bottleneck == number) fastest_renewed_here = way.rate;
    }
    const bool full = resource.left <= resource.capacity * rounding;
    for (const User& user : resource.users) {
      const Way& way = ways_[user.way];
      if (way.renewed) continue;
      const bool holds = way.bottleneck != number || (full && way.rate >= fastest * (1 - rounding));
      if (!holds || way.rate > fastest_renewed_here * (1 + rounding)) renew(user.way);
    }
  }
  return renewed_.size() > renewed_before;
}

std::span<const std::uint32_t> FairShares::settle() {
  if (changed_.empty()) return {};
  begin();
  do fill();
  while (renew_unfair());
  for (const std::uint32_t number : visited_) resources_[number].visited = false;
  visited_.clear();
  for (const std::uint32_t number : changed_) ways_[number].changed = false;
  changed_.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < renewed_.size(); ++i) {
    ways_[renewed_[i]].renewed = false;
    if (ways_[renewed_[i]].rate != rates_before_[i]) renewed_[kept++] = renewed_[i];
  }
  renewed_.resize(kept);
  return renewed_;
}

double FairShares::load(std::uint32_t number) const {
  double load = 0;
  for (const User& user : resources_[number].users)
    load += uses_[user.use].weight * ways_[user.way].flows * ways_[user.way].rate;
  return load;
}

}  // namespace orrery
