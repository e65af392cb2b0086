#include "topology/network_file.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/located_json.hpp"
#include "base/words.hpp"
#include "topology/astra_block_words.hpp"
#include "topology/garnet_file.hpp"
#include "topology/topology_check.hpp"

namespace orrery {
namespace {

constexpr std::array<Word<Packaging>, 4> packagings{{
    {"Tile", Packaging::tile},
    {"Package", Packaging::package},
    {"Node", Packaging::node},
    {"Pod", Packaging::pod},
}};

void set_block(Dimension& dimension, const JsonValue& value, std::string_view key) {
  const std::string& word = value.as_string(key);
  const auto block = value_of(astra_block_words, word);
  if (!block) {
    const auto known = words_of(astra_block_words);
    throw InputError(value.where(), "unknown topology " + backquoted(word) + ", use " + alternatives(known));
  }
  dimension.block = *block;
}

// The reference takes every other word for a node.
void set_packaging(Dimension& dimension, const JsonValue& value, std::string_view key) {
  dimension.packaging = value_of(packagings, value.as_string(key)).value_or(Packaging::node);
}

template <double Dimension::*member>
void set_real(Dimension& dimension, const JsonValue& value, std::string_view key) {
  dimension.*member = value.as_real(key);
}

// An array with one entry per dimension.
struct ArrayKey {
  std::string_view name;
  DimensionPart part;
  bool required;
  void (*set)(Dimension& dimension, const JsonValue& value, std::string_view key);
};

constexpr ArrayKey array_keys[] = {
    {"topologies-per-dim", DimensionPart::block, true, set_block},
    {"units-count", DimensionPart::size, true,
     [](Dimension& d, const JsonValue& v, std::string_view key) { d.size = v.as_int(key); }},
    {"links-count", DimensionPart::links, true,
     [](Dimension& d, const JsonValue& v, std::string_view key) { d.links = v.as_int(key); }},
    {"link-latency", DimensionPart::link_latency, true, set_real<&Dimension::link_latency_ns>},
    {"link-bandwidth", DimensionPart::link_bandwidth, true,
     [](Dimension& d, const JsonValue& v, std::string_view key) {
       d.link_bandwidth = Bandwidth::from_gib_per_s(v.as_real(key));
     }},
    {"nic-latency", DimensionPart::nic_latency, false, set_real<&Dimension::nic_latency_ns>},
    {"router-latency", DimensionPart::router_latency, false, set_real<&Dimension::router_latency_ns>},
    {"hbm-latency", DimensionPart::hbm_latency, false, set_real<&Dimension::hbm_latency_ns>},
    {"hbm-bandwidth", DimensionPart::hbm_bandwidth, false,
     [](Dimension& d, const JsonValue& v, std::string_view key) {
       d.hbm_bandwidth = Bandwidth::from_gb_per_s(v.as_real(key));
     }},
    {"hbm-scale", DimensionPart::hbm_scale, false, set_real<&Dimension::hbm_scale>},
    {"dimension-type", DimensionPart::packaging, false, set_packaging},
};

class Reader {
 public:
  Reader(const JsonValue& root, const NetworkOverrides& overrides, Warnings& warnings)
      : root_(root), overrides_(overrides), warnings_(warnings) {}

  Topology read() {
    warn_of_unknown_keys();
    check_name();
    make_dimensions();
    for (const ArrayKey& key : array_keys) read_array(key);
    apply(overrides_.units_count, DimensionPart::size, "--units-count",
          [](Dimension& dimension, int value) { dimension.size = value; });
    apply(overrides_.links_count, DimensionPart::links, "--links-count",
          [](Dimension& dimension, int value) { dimension.links = value; });
    apply(overrides_.link_bandwidth, DimensionPart::link_bandwidth, "--link-bandwidth",
          [](Dimension& dimension, double value) {
            dimension.link_bandwidth = Bandwidth::from_gib_per_s(value);
          });
    apply(overrides_.link_latency, DimensionPart::link_latency, "--link-latency",
          [](Dimension& dimension, double value) { dimension.link_latency_ns = value; });
    check_topology(
        topology_, [&](std::size_t d, DimensionPart part) { return where(d, part); }, warnings_);
    return std::move(topology_);
  }

 private:
  void warn_of_unknown_keys() const {
    const auto known = network_file_keys();
    for (const JsonMember& member : root_.as_object("the network file"))
      if (std::find(known.begin(), known.end(), member.key) == known.end())
        warnings_.add(member.where, "unknown key " + backquoted(member.key) + " is ignored" +
                                        suggestion(member.key, known));
  }

  void check_name() const {
    const JsonValue* const name = root_.find("topology-name");
    if (name != nullptr && name->as_string("topology-name") != "Hierarchical")
      throw InputError(name->where(), "`topology-name` has to be \"Hierarchical\", the only one there is");
  }

  void make_dimensions() {
    const JsonValue* const count = root_.find("dimensions-count");
    const int dimensions = count == nullptr ? 1 : count->as_int("dimensions-count");
    if (dimensions < 1 || dimensions > 10)
      throw InputError(count->where(),
                       fmt::format("`dimensions-count` has to be 1 to 10, not {}", dimensions));
    topology_.dimensions.resize(static_cast<std::size_t>(dimensions));
    for (std::size_t d = 0; d < topology_.dimensions.size(); ++d)
      topology_.dimensions[d].name = fmt::format("dim{}", d);
  }

  bool is_overridden(DimensionPart part) const {
    switch (part) {
      case DimensionPart::size:
        return !overrides_.units_count.empty();
      case DimensionPart::links:
        return !overrides_.links_count.empty();
      case DimensionPart::link_bandwidth:
        return !overrides_.link_bandwidth.empty();
      case DimensionPart::link_latency:
        return !overrides_.link_latency.empty();
      default:
        return false;
    }
  }

  void read_array(const ArrayKey& key) {
    if (is_overridden(key.part)) return;
    const JsonValue* const array = root_.find(key.name);
    if (array == nullptr) {
      if (key.required)
        throw InputError(root_.where(), "the key " + backquoted(key.name) + " is missing, add it");
      return;
    }
    const JsonArray& values = array->as_array(key.name);
    if (values.size() != topology_.dimensions.size())
      throw InputError(array->where(), wrong_length(backquoted(key.name), values.size()));
    for (std::size_t d = 0; d < values.size(); ++d) {
      key.set(topology_.dimensions[d], values[d], key.name);
      where_[{d, key.part}] = values[d].where();
    }
  }

  template <class Value, class Set>
  void apply(const std::vector<Value>& values, DimensionPart part, const char* flag, Set set) {
    if (values.empty()) return;
    if (values.size() != topology_.dimensions.size())
      throw InputError({flag}, wrong_length("the option", values.size()));
    for (std::size_t d = 0; d < values.size(); ++d) {
      set(topology_.dimensions[d], values[d]);
      where_[{d, part}] = {flag};
    }
  }

  std::string wrong_length(const std::string& what, std::size_t given) const {
    return fmt::format("{} has {} {}, `dimensions-count` asks for {}", what, given,
                       given == 1 ? "entry" : "entries", topology_.dimensions.size());
  }

  // Returns where a part is written; a default is written nowhere, so the whole file stands for it.
  SourceLocation where(std::size_t dimension, DimensionPart part) const {
    const auto place = where_.find({dimension, part});
    return place == where_.end() ? SourceLocation{root_.where().file} : place->second;
  }

  const JsonValue& root_;
  const NetworkOverrides& overrides_;
  Warnings& warnings_;
  Topology topology_;
  std::map<std::pair<std::size_t, DimensionPart>, SourceLocation> where_;
};

}  // namespace

Topology read_network_file(std::string_view text, const std::string& file, const NetworkOverrides& overrides,
                           Warnings& warnings) {
  refuse_garnet_file(text, file);
  return Reader(parse_json(text, file), overrides, warnings).read();
}

std::vector<std::string_view> network_file_keys() {
  std::vector<std::string_view> keys{"topology-name", "dimensions-count"};
  for (const ArrayKey& key : array_keys) keys.push_back(key.name);
  return keys;
}

}  // namespace orrery
