#include "network/fluid/rates/max_min_rates.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace orrery::core {
namespace {

// Rates that differ by less than this share are equal except for rounding.
constexpr double rounding = 1e-11;
// A level that changes by a smaller share stays as it is, or ...
constexpr double unfelt = 1e-13;
// ... by less than `rounding` after so many looks in one instant: resources that are equally full may go on
// passing a rest to one another.
constexpr std::uint32_t many_looks = 64;
// Roomy resources are told levels that are higher by this share, so that they seldom have to be told again.
constexpr double room = 1.0 / 64;
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

std::uint32_t MaxMinRates::add_resource(double capacity) {
  assert(capacity > 0);
  resources_.emplace_back().capacity = capacity;
  loads_.emplace_back().alert = capacity * (1 + rounding);
  crossings_.add_resource();
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

std::uint32_t MaxMinRates::add_route(std::span<const Use> uses) {
  assert(!uses.empty());
  routes_.push_back({static_cast<std::uint32_t>(uses_.size()), static_cast<std::uint32_t>(uses.size())});
  for (const Use& use : uses) uses_.push_back({use});
  return static_cast<std::uint32_t>(routes_.size() - 1);
}

std::uint32_t MaxMinRates::split(std::uint32_t resource) {
  const std::uint32_t added = add_resource(resources_[resource].capacity);
  for (std::uint32_t number = 0; number < routes_.size(); ++number) {
    Route& route = routes_[number];
    const std::vector<PlacedUse> uses(uses_of(route).begin(), uses_of(route).end());
    const auto use = std::ranges::find(uses, resource, &PlacedUse::resource);
    if (use == uses.end()) continue;
    route.first_use = static_cast<std::uint32_t>(uses_.size());
    uses_.insert(uses_.end(), uses.begin(), uses.end());
    uses_.push_back({{added, use->weight}});
    if (route.sharing > 0) {
      for (std::uint32_t i = 0; i < route.uses; ++i)
        resources_[uses[i].resource].users[uses[i].place].use = route.first_use + i;
      enlist(number, route.first_use + route.uses);
      crossings_.open(route.bottleneck);
      cross(route, uses_.back());
    }
    ++route.uses;
  }
  return added;
}

double MaxMinRates::rate(std::uint32_t number) const {
  const Route& route = routes_[number];
  return route.bottleneck == nowhere ? 0 : resources_[route.bottleneck].level;
}

double MaxMinRates::load(std::uint32_t number) const {
  double load = 0;
  for (const ResourceUser& user : resources_[number].users)
    load += uses_[user.use].weight * routes_[user.route].sharing * rate(user.route);
  return load;
}

void MaxMinRates::set_flows(std::uint32_t number, std::uint32_t flows) {
  routes_[number].flows = flows;
  mark_changed(number);
}

void MaxMinRates::mark_changed(std::uint32_t number) {
  if (!routes_[number].changed) changed_.push_back(number);
  routes_[number].changed = true;
}

void MaxMinRates::set_capacity(std::uint32_t number, double capacity) {
  assert(capacity > 0);
  resources_[number].capacity = capacity;
  touched_.push_back(number);
}

void MaxMinRates::note_move(std::uint32_t number) {
  if (!routes_[number].moved) moved_.push_back(number);
  routes_[number].moved = true;
}

void MaxMinRates::enlist(std::uint32_t route, std::uint32_t use) {
  std::vector<ResourceUser>& users = resources_[uses_[use].resource].users;
  uses_[use].place = static_cast<std::uint32_t>(users.size());
  users.push_back({route, use});
}

void MaxMinRates::strike(const PlacedUse& use) {
  std::vector<ResourceUser>& users = resources_[use.resource].users;
  uses_[users.back().use].place = use.place;
  users[use.place] = users.back();
  users.pop_back();
}

// Free flows of the route begin to use its resources.
void MaxMinRates::introduce(std::uint32_t number, std::uint32_t flows) {
  Route& route = routes_[number];
  route.sharing = flows;
  note_move(number);
  for (std::uint32_t i = 0; i < route.uses; ++i) {
    const PlacedUse& use = uses_[route.first_use + i];
    enlist(number, route.first_use + i);
    resources_[use.resource].weight.add(use.weight * flows);
    ++resources_[use.resource].free;
  }
}

// The flows of the route no longer use its resources.
void MaxMinRates::withdraw(std::uint32_t number) {
  Route& route = routes_[number];
  set_free(number);
  for (const PlacedUse& use : uses_of(route)) {
    strike(use);
    --resources_[use.resource].free;
    resources_[use.resource].weight.add(-use.weight * route.sharing);
  }
  route.sharing = 0;
}

// Other flows of the route have come or gone.
void MaxMinRates::reweigh(std::uint32_t number, std::uint32_t flows) {
  Route& route = routes_[number];
  const double more = static_cast<double>(flows) - route.sharing;
  route.sharing = flows;
  crossings_.open(route.bottleneck);
  for (const PlacedUse& use : uses_of(route)) {
    const double weight = use.weight * more;
    if (use.resource == route.bottleneck) {
      resources_[use.resource].weight.add(weight);
      continue;
    }
    crossings_.add_weight(use.resource, weight);
    loads_[use.resource].sum.add(weight * known_rate(route.bottleneck, use.resource));
  }
}

// The flows of the route leave their bottleneck. They are free until they join another one.
void MaxMinRates::set_free(std::uint32_t number) {
  Route& route = routes_[number];
  note_move(number);
  crossings_.open(route.bottleneck);
  for (const PlacedUse& use : uses_of(route)) {
    SharedResource& resource = resources_[use.resource];
    ++resource.free;
    if (use.resource == route.bottleneck) {
      --resource.members;
      continue;
    }
    const double weight = use.weight * route.sharing;
    crossings_.remove_route(use.resource, weight);
    loads_[use.resource].sum.add(-weight * known_rate(route.bottleneck, use.resource));
    resource.weight.add(weight);
  }
  SharedResource& bottleneck = resources_[route.bottleneck];
  if (bottleneck.members == 0) bottleneck.level = 0;
  route.bottleneck = nowhere;
}

// Puts what the flows of the route have from their bottleneck on another resource. The crossings of the
// bottleneck are open.
void MaxMinRates::cross(const Route& route, const Use& use) {
  const double weight = use.weight * route.sharing, rate = known_rate(route.bottleneck, use.resource);
  ResourceLoad& load = loads_[use.resource];
  crossings_.add_route(use.resource, weight, resources_[use.resource].watched);
  load.sum.add(weight * rate);
  load.fastest = std::max(load.fastest, rate);
}

// Returns how fast a resource takes the members of another one to be.
double MaxMinRates::known_rate(std::uint32_t bottleneck, std::uint32_t resource) const {
  return resources_[resource].watched ? resources_[bottleneck].level : resources_[bottleneck].told;
}

// Makes a resource without members watched or roomy.
void MaxMinRates::set_watched(std::uint32_t number, bool watched) {
  resources_[number].watched = watched;
  ResourceLoad& load = loads_[number];
  load.sum = {};
  load.fastest = 0;
  for (const ResourceUser& user : resources_[number].users) {
    const Route& route = routes_[user.route];
    if (route.bottleneck == nowhere) continue;
    crossings_.open(route.bottleneck);
    crossings_.set_watched(number, watched);
    const double rate = known_rate(route.bottleneck, number);
    load.sum.add(uses_[user.use].weight * route.sharing * rate);
    load.fastest = std::max(load.fastest, rate);
  }
}

// The resource becomes the bottleneck of a route whose flows are free.
void MaxMinRates::join(std::uint32_t number, std::uint32_t bottleneck) {
  Route& route = routes_[number];
  route.bottleneck = bottleneck;
  crossings_.open(bottleneck);
  for (const PlacedUse& use : uses_of(route)) {
    SharedResource& resource = resources_[use.resource];
    --resource.free;
    if (use.resource == bottleneck) {
      ++resource.members;
      continue;
    }
    resource.weight.add(-use.weight * route.sharing);
    cross(route, use);
    touched_.push_back(use.resource);
  }
}

double MaxMinRates::alert_of(std::uint32_t number) const {
  const SharedResource& resource = resources_[number];
  return resource.grows() ? -infinite : resource.capacity * (1 + rounding);
}

void MaxMinRates::touch_all() {
  for (const std::uint32_t resource : touched_) {
    touch(resource);
    works();
  }
  touched_.clear();
}

// Has the resource looked at if its level may have changed, or if it carries too much.
void MaxMinRates::touch(std::uint32_t number) {
  ResourceLoad& load = loads_[number];
  if (load.alert == infinite) return;  // it will be
  const SharedResource& resource = resources_[number];
  if (resource.watched && !resource.grows() && load.sum.value() * (1 + 3 * room) < resource.capacity)
    set_watched(number, false);
  load.alert = alert_of(number);
  if (load.sum.value() > load.alert) look_later(number);
}

void MaxMinRates::look_later(std::uint32_t number) {
  const SharedResource& resource = resources_[number];
  double about = resource.level;
  if (!resource.grows())
    about = loads_[number].fastest;
  else if (resource.free > 0)
    about = level_of(number);
  loads_[number].alert = infinite;
  looks_.push({about, number});
}

// Returns how fast members and free flows are when they fill what others leave them.
double MaxMinRates::level_of(std::uint32_t number) const {
  const SharedResource& resource = resources_[number];
  const double left = resource.capacity - loads_[number].sum.value();
  return std::max(left, 0.0) / resource.weight.value();
}

// Finds the members of others that the resource has to take over because they are faster than its own would
// be. Returns the level that it then has.
double MaxMinRates::plan_takeover(std::uint32_t number) {
  const SharedResource& resource = resources_[number];
  ResourceLoad& load = loads_[number];
  takeover_.clear();
  const bool grows = resource.grows();
  const double level = grows ? level_of(number) : 0;
  if (load.fastest <= level * (1 + rounding)) return level;
  for (const ResourceUser& user : resource.users) {
    const Route& route = routes_[user.route];
    if (route.bottleneck == number || route.bottleneck == nowhere) continue;
    const double rate = resources_[route.bottleneck].level;
    if (rate <= level)
      takeover_.pass_over(rate);
    else
      takeover_.add({rate, route.bottleneck, user.route, uses_[user.use].weight, route.sharing});
  }
  const double weight = grows ? resource.weight.value() : 0;
  const double lower = takeover_.plan(resource.capacity - load.sum.value(), weight, level, rounding);
  load.fastest = takeover_.fastest();
  return lower;
}

void MaxMinRates::look(Look look) {
  const std::uint32_t number = look.resource();
  SharedResource& resource = resources_[number];
  ResourceLoad& load = loads_[number];
  // What rounding has left goes where nothing is left.
  if (!resource.grows()) resource.weight = {};
  if (resource.members + resource.free == resource.users.size()) load.sum = {};
  const auto is_needed = [&] {
    return resource.grows() || load.sum.value() > resource.capacity * (1 + rounding);
  };
  if (!resource.watched && is_needed()) set_watched(number, true);
  if (is_needed()) {
    ++levels_found_;
    const double level = plan_takeover(number);
    if (const Look later(level, number); resource.free > 0 && later.key() > look.key()) {
      looks_.push(later);  // others may be full before
      return;
    }
    if (resource.looks++ == 0) looked_at_.push_back(number);
    for (const Takeover::Rival& rival : takeover_.taken()) {
      touched_.push_back(rival.bottleneck);
      set_free(rival.route);
    }
    if (!takeover_.taken().empty()) load.fastest = takeover_.fastest_left();
    set_level(number, level);
    if (resource.free > 0) take_free(number);
  }
  load.alert = alert_of(number);
  touch_all();
}

void MaxMinRates::set_level(std::uint32_t number, double level) {
  SharedResource& resource = resources_[number];
  const double change = level - resource.level;
  const double least = resource.looks > many_looks ? rounding : unfelt;
  if (std::abs(change) <= least * resource.level) return;
  resource.level = level;
  if (!resource.changed) paces_.push_back(number);
  resource.changed = true;
  tell(crossings_.watched(number), level, change);
  if (level <= resource.told && level >= resource.told * (1 - 2 * room)) return;
  const double told = level * (1 + room);
  tell(crossings_.roomy(number), told, told - resource.told);
  resource.told = told;
}

void MaxMinRates::tell(std::span<const Crossings::Crossing> crossings, double rate, double change) {
  for (const Crossings::Crossing& crossing : crossings) {
    ResourceLoad& load = loads_[crossing.resource];
    load.sum.add(crossing.weight * change);
    load.fastest = std::max(load.fastest, rate);
    if (load.sum.value() > load.alert) look_later(crossing.resource);
  }
}

// Makes the resource the bottleneck of all flows that use it and are free.
void MaxMinRates::take_free(std::uint32_t number) {
  for (const ResourceUser& user : resources_[number].users)
    if (routes_[user.route].bottleneck == nowhere) join(user.route, number);
}

// Tells the resources which flows have come and gone.
void MaxMinRates::take_changes() {
  for (const std::uint32_t number : changed_) {
    Route& route = routes_[number];
    route.changed = false;
    if (route.sharing == route.flows) continue;
    if (route.flows == 0)
      withdraw(number);
    else if (route.sharing == 0)
      introduce(number, route.flows);
    else
      reweigh(number, route.flows);
    for (const PlacedUse& use : uses_of(route)) touched_.push_back(use.resource);
  }
  changed_.clear();
  touch_all();
}

MaxMinRates::Changes MaxMinRates::settle() {
  for (const std::uint32_t number : moved_) routes_[number].moved = false;
  for (const std::uint32_t number : paces_) resources_[number].changed = false;
  moved_.clear();
  paces_.clear();
  take_changes();
  while (!looks_.empty()) look(looks_.pop());
  for (const std::uint32_t number : looked_at_) resources_[number].looks = 0;
  looked_at_.clear();
  return {moved_, paces_};
}

}  // namespace orrery::core
