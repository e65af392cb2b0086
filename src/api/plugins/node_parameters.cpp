#include "api/plugins/node_parameters.hpp"

#include "base/input/node_reader.hpp"

namespace orrery::core {

NodeParameters::NodeParameters(const InputNode& map, std::string what)
    : map_(&map), what_(std::move(what)), asked_(std::make_shared<Asked>()) {
  require_map(map, what_);
}

bool NodeParameters::has(std::string_view key) const {
  asked_->keys.emplace(key);
  return map_->find(key) != nullptr;
}

const InputNode& NodeParameters::value(std::string_view key) const {
  asked_->keys.emplace(key);
  return required(*map_, what_, key);
}

std::int64_t NodeParameters::integer(std::string_view key, std::int64_t least, std::int64_t largest) const {
  return whole_of(value(key), key, least, largest);
}
double NodeParameters::real(std::string_view key, double least, double largest) const {
  return real_of(value(key), key, least, largest);
}
bool NodeParameters::boolean(std::string_view key) const {
  return bool_of(value(key), key);
}
std::string NodeParameters::text(std::string_view key) const {
  return scalar_of(value(key), key);
}
orrery::Time NodeParameters::time(std::string_view key) const {
  return orrery::Time::picoseconds(time_of(value(key), key).ps());
}
double NodeParameters::bandwidth(std::string_view key) const {
  return bandwidth_of(value(key), key).bytes_per_ns() * 1e9;
}
std::uint64_t NodeParameters::bytes(std::string_view key) const {
  return bytes_of(value(key), key).count();
}

std::unique_ptr<const Parameters> NodeParameters::map(std::string_view key) const {
  NodeParameters below(value(key), "`" + std::string(key) + "` of " + what_);
  asked_->below.push_back(below);
  return std::make_unique<NodeParameters>(std::move(below));
}

void NodeParameters::refuse(std::string_view key, const std::string& why) const {
  const InputNode* const at = key.empty() ? nullptr : map_->find(key);
  throw InputError(at ? at->where : map_->where, why);
}

void NodeParameters::refuse_others() const {
  const std::vector<std::string_view> known(asked_->keys.begin(), asked_->keys.end());
  require_map_of(*map_, what_, known);
  for (const NodeParameters& below : asked_->below) below.refuse_others();
}

}  // namespace orrery::core
