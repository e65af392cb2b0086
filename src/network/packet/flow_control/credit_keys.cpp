#include "network/packet/flow_control/credit_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::core {
namespace {

std::uint64_t lane_buffer_of(const InputNode& node, const KeyFacts& key) {
  constexpr std::uint64_t most = CreditSettings::max_blocks * credit_block;
  const std::uint64_t bytes = bytes_of(node, key.name).count();
  if (bytes < credit_block || bytes > most)
    reject_value(node, key.name, fmt::format("a size from {} to {} bytes", credit_block, most));
  return bytes;
}

void read_lanes(const InputNode& node, const KeyFacts& key, CreditSettings& credits) {
  const std::vector<InputNode>& lanes = list_of(node, key.name);
  if (lanes.size() != max_lanes)
    throw InputError(node.where, fmt::format("`{}` has {} elements, and there are {} service levels: give a "
                                             "lane for each",
                                             key.name, lanes.size(), max_lanes));
  for (std::size_t level = 1; level <= lanes.size(); ++level)
    credits.lanes[level] = int_of(lanes[level - 1], key.name, 1, max_lanes);
}

constexpr int max_weight = 255, max_turns = 64;
constexpr Key<LaneTurn> turn_keys[] = {
    key::integer<&LaneTurn::lane>("lane", 1, max_lanes, "required", "lane that has the turn"),
    key::integer<&LaneTurn::weight>("weight", 1, max_weight, "1",
                                    "blocks of 64 bytes after which the next element has a turn"),
};

template <auto member>
void read_turns(const InputNode& node, const KeyFacts& key, CreditSettings& credits) {
  const std::vector<InputNode>& turns = list_of(node, key.name);
  if (turns.size() > max_turns)
    throw InputError(node.where, fmt::format("`{}` has {} elements, and such a table has at most {}",
                                             key.name, turns.size(), max_turns));
  for (const InputNode& turn : turns)
    read_map(turn, "a turn of a lane", turn_keys, (credits.*member).emplace_back());
}

constexpr Key<CreditSettings> credit_map_keys[] = {
    key::declared<lane_buffer_of, KeyType::size, &CreditSettings::buffer>(
        "buffer", "131008 bytes",
        "size of a lane's buffer at the end of a link, in blocks of 64 bytes; at most 2047 blocks, because "
        "the counters of credits have 12 bits")
        .trying("8 KiB")
        .better(Better::more)
        .hardware(),
    key::custom<read_lanes>("lanes", "list of 7 numbers from 1 to 7", "each its own",
                            "the lanes of the service levels 1 to 7, which are the priorities of messages")
        .trying("[1, 1, 1, 1, 1, 1, 1]"),
    key::custom<read_turns<&CreditSettings::high>>(
        "high", "list of maps", "none",
        "lanes that go first, each until it has sent its weight, in the order of the list")
        .above(keys_of_list<turn_keys>),
    key::custom<read_turns<&CreditSettings::low>>("low", "list of maps", "all lanes, packet by packet",
                                                  "the other lanes, in the same way")
        .above(keys_of_list<turn_keys>),
    key::integer<&CreditSettings::high_limit>(
        "high-limit", 0, 255, "255",
        "times 4096 bytes that lanes of `high` send until one of `low` has a turn; 0: a packet, 255: any "
        "number")
        .better(Better::either)
        .software(),
};

bool has_turn(const CreditSettings& credits, int lane) {
  const auto is_of_lane = [lane](const LaneTurn& turn) { return turn.lane == lane; };
  return std::ranges::any_of(credits.high, is_of_lane) || std::ranges::any_of(credits.low, is_of_lane);
}

}  // namespace

void read_credits(const InputNode& map, CreditSettings& credits) {
  read_map(map, "`credits`", credit_map_keys, credits);
  if (const InputNode* const limit = map.find("high-limit"); limit && credits.high.empty())
    throw InputError(limit->where, "`high-limit` is for the lanes of `high`: give these, or leave it out");
  if (credits.high.empty() && credits.low.empty()) return;
  for (int level = 1; level <= max_lanes; ++level)
    if (const int lane = credits.lanes[static_cast<std::size_t>(level)]; !has_turn(credits, lane))
      throw InputError(map.where,
                       fmt::format("lane {}, that of service level {}, is neither in `high` nor in `low` and "
                                   "would never send: add it to one of them, or give the level another lane",
                                   lane, level));
}

std::vector<KeyPath> credit_keys() {
  return key_paths(".", credit_map_keys);
}

}  // namespace orrery::core
