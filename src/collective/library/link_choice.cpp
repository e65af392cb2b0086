#include "collective/library/link_choice.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostics/nearest_names.hpp"
#include "base/input/node_reader.hpp"
#include "base/text/quantity.hpp"
#include "collective/library/library_file.hpp"

namespace orrery::core {
namespace {

constexpr std::string_view ideal_base = "ideal";

bool has_ring_shares(const InsideLink& link) {
  return !link.ring_shares.empty();
}
bool has_ring_shares(const BetweenLink&) {
  return false;
}

// Returns the larger of two limits, of which 0 is none.
double unless_none(double a, double b) {
  return a == 0 || b == 0 ? 0 : std::max(a, b);
}

// Makes sure that `link`, which has `bandwidth`, is never worse than `slower`, which has less bandwidth.
template <class Link>
void never_worse_than(const Link& slower, Link& link) {
  const auto share = [&](double of_slower, double own) {
    return std::max(own, of_slower * slower.bandwidth / link.bandwidth);
  };
  link.efficiency = share(slower.efficiency, link.efficiency);
  link.stream_bandwidth = unless_none(link.stream_bandwidth, slower.stream_bandwidth);
  link.switch_efficiency = share(slower.switch_efficiency, link.switch_efficiency);
  link.step_seconds = std::min(link.step_seconds, slower.step_seconds);
}

void keep_up(const InsideLink& slower, const LibraryConstants& library, InsideLink& link) {
  link.switch_seconds = link.switch_efficiency == 0    ? slower.switch_seconds
                        : slower.switch_efficiency > 0 ? std::min(link.switch_seconds, slower.switch_seconds)
                                                       : link.switch_seconds;
  never_worse_than(slower, link);
  link.copy_steps = std::min(link.copy_steps, slower.copy_steps);
  link.sum_bandwidth = unless_none(link.sum_bandwidth, slower.sum_bandwidth);
  link.full_speed_members = unless_none(link.full_speed_members, slower.full_speed_members);
  const auto launch = [&](const InsideLink& of) {
    return of.launch_seconds.value_or(library.launch_seconds);
  };
  link.launch_seconds = std::min(launch(link), launch(slower));
}

void keep_up(const BetweenLink& slower, const LibraryConstants& library, BetweenLink& link) {
  never_worse_than(slower, link);
  const auto ll_step = [&](const BetweenLink& of) {
    return of.ll_step_seconds.value_or(library[Protocol::ll].hop_seconds);
  };
  link.ll_step_seconds = std::min(ll_step(link), ll_step(slower));
  link.short_step_seconds = std::min(link.short_step_seconds, slower.short_step_seconds);
  link.rendezvous_seconds = std::min(link.rendezvous_seconds, slower.rendezvous_seconds);
  if (slower.rendezvous_seconds > 0) link.eager = std::max(link.eager, slower.eager);
}

bool is_ideal(const InsideLink& link) {
  return link.efficiency == 1 && link.step_seconds == 0 && link.copy_steps == 0 &&
         !link.launch_seconds.has_value();
}
bool is_ideal(const BetweenLink& link) {
  return link.efficiency == 1 && link.step_seconds == 0 && link.short_step_seconds == 0;
}

bool is_bandwidth(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front()));
}

template <class Link>
class LinkChooser {
 public:
  LinkChooser(const std::vector<Link>& classes, const LibraryConstants& library, std::string_view place,
              const SourceLocation& where)
      : classes_(classes), library_(library), place_(place), where_(where) {}

  ChosenLink<Link> choose(const LinkChoice& choice) {
    Link link = choice.is_word() ? named(choice.node()) : changed(choice.node());
    link.name = choice.text();
    if (!nearest_ || is_ideal(link)) return {std::move(link), {}};
    LinkNote note{place_of(*bandwidth_), note_on(link)};
    return {std::move(link), std::move(note)};
  }

 private:
  SourceLocation place_of(const InputNode& node) const {
    return node.where.file.empty() ? where_ : node.where;
  }

  Link changed(const InputNode& node) {
    const std::string what = fmt::format("a class of links {} nodes", place_);
    require_map(node, what);
    const InputNode* base = node.find("base");
    Link link;
    if (!base)
      link = named(required(node, what, "bandwidth"));
    else if (scalar_of(*base, "base") == ideal_base && !find(base->text))
      required(node, "an ideal link", "bandwidth");
    else
      link = named(*base);
    change_link(node, link);
    return link;
  }

  const Link* find(const std::string& name) const {
    const auto found = std::ranges::find(classes_, name, &Link::name);
    return found == classes_.end() ? nullptr : &*found;
  }

  Link named(const InputNode& node) {
    const std::string& name = scalar_of(node, "a class of links");
    if (const Link* found = find(name)) return *found;
    if (is_bandwidth(name)) return of_bandwidth(node);
    if (name == ideal_base)
      throw InputError(place_of(node),
                       "ideal links need a bandwidth, write `{ base: ideal, bandwidth: 50 GB/s }`");
    reject_unknown(node);
  }

  [[noreturn]] void reject_unknown(const InputNode& node) const {
    std::vector<std::string_view> names;
    for (const Link& link : classes_) names.push_back(link.name);
    if (names.empty())
      throw InputError(place_of(node),
                       fmt::format("the library knows no links {} nodes, give a bandwidth", place_));
    throw InputError(place_of(node),
                     none_of_name(fmt::format("class of links {} nodes", place_), node.text, names) +
                         ", or give a bandwidth such as `50 GB/s`");
  }

  // Returns the first class of each bandwidth, from the slowest on.
  std::vector<const Link*> classes_by_bandwidth() const {
    std::vector<const Link*> found;
    for (const Link& link : classes_)
      if (!has_ring_shares(link)) found.push_back(&link);
    std::ranges::stable_sort(found, {}, &Link::bandwidth);
    const auto alike = [](const Link* a, const Link* b) { return a->bandwidth == b->bandwidth; };
    found.erase(std::unique(found.begin(), found.end(), alike), found.end());
    return found;
  }

  Link of_bandwidth(const InputNode& node) {
    Link link;
    link.bandwidth = parse_bandwidth(node.text, place_of(node)).bytes_per_ns() * 1e9;
    const std::vector<const Link*> classes = classes_by_bandwidth();
    if (classes.empty()) return link;
    // Returns the bandwidth from which on the next class is the nearer one.
    const auto border = [&](std::size_t i) {
      return std::sqrt(classes[i]->bandwidth) * std::sqrt(classes[i + 1]->bandwidth);
    };
    std::size_t nearest = 0;
    while (nearest + 1 < classes.size() && link.bandwidth > border(nearest)) ++nearest;
    const double bandwidth = link.bandwidth;
    link = *classes[nearest];
    link.bandwidth = bandwidth;
    for (std::size_t i = 0; i < nearest; ++i) {
      Link slower = *classes[i];
      slower.bandwidth = border(i);
      keep_up(slower, library_, link);
    }
    bandwidth_ = &node;
    nearest_ = classes[nearest];
    return link;
  }

  std::string note_on(const Link& link) const {
    return fmt::format(
        "links {0} nodes of {1} are like those of the nearest class, `{2}`: they reach {3:.4g}% of their "
        "bandwidth "
        "and a step takes {4:.4g} us; choose another class with `{{ base: CLASS, bandwidth: {1} }}`, where "
        "the class "
        "`ideal` has no losses",
        place_, bandwidth_->text, nearest_->name, link.efficiency * 100, link.step_seconds * 1e6);
  }

  const std::vector<Link>& classes_;
  const LibraryConstants& library_;
  const std::string_view place_;
  const SourceLocation& where_;
  const InputNode* bandwidth_ = nullptr;  // used where nothing else is known of a link
  const Link* nearest_ = nullptr;         // the class that this link is like
};

void append_text(const InputNode& node, std::string& text) {
  const bool is_map = node.kind == InputNode::Kind::map;
  if (!is_map && node.kind != InputNode::Kind::list) {
    text += node.text;
    return;
  }
  text += is_map ? "{ " : "[";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) text += ", ";
    if (is_map) text += node.names[i].text + ": ";
    append_text(node.items[i], text);
  }
  text += is_map ? " }" : "]";
}

}  // namespace

LinkChoice::LinkChoice(std::string class_or_bandwidth, const SourceLocation& where) {
  node_.kind = InputNode::Kind::scalar;
  node_.text = std::move(class_or_bandwidth);
  node_.where = where;
}

std::string LinkChoice::text() const {
  std::string text;
  append_text(node_, text);
  return text;
}

LinkChoice link_of_flag(const std::string& value, const std::string& flag) {
  if (!value.starts_with('{')) return LinkChoice(value, {flag});
  return LinkChoice(parse_yaml(value, flag));
}

ChosenLink<InsideLink> inside_link(const LinkChoice& choice, const LibraryConstants& library,
                                   const SourceLocation& where) {
  return LinkChooser<InsideLink>(library.inside, library, "inside", where).choose(choice);
}

ChosenLink<BetweenLink> between_link(const LinkChoice& choice, const LibraryConstants& library,
                                     const SourceLocation& where) {
  return LinkChooser<BetweenLink>(library.between, library, "between", where).choose(choice);
}

}  // namespace orrery::core
