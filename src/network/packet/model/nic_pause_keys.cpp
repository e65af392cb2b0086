#include "network/packet/model/nic_pause_keys.hpp"

#include "network/packet/model/packet_times.hpp"

namespace orrery {
namespace {

constexpr int max_pauses = 1'000'000'000, max_npu = 1 << 24;

void read_npus(const InputNode& node, const KeyFacts& key, NicPauseSettings& pauses) {
  for (const InputNode& npu : list_of(node, key.name))
    pauses.npus.push_back(int_of(npu, key.name, 0, max_npu));
}

constexpr Key<NicPauseSettings> nic_pause_map_keys[] = {
    key::custom<read_npus>("npus", "list of NPUs", "all", "NPUs whose NICs pause their switches")
        .trying("[0]"),
    key::integer<&NicPauseSettings::times>("times", 1, max_pauses, "10⁹",
                                           "how many times each of these NICs does so"),
    key::declared<packet_time_of, KeyType::time, &NicPauseSettings::length_ps>(
        "length", "10 us", "length of a pause, which begins when a packet arrives")
        .hardware(),
    key::declared<packet_time_of, KeyType::time, &NicPauseSettings::gap_ps>(
        "gap", "1 ms", "least time from the end of a pause to the next one")
        .better(Better::more)
        .hardware(),
};

}  // namespace

void read_nic_pauses(const InputNode& map, NicPauseSettings& pauses) {
  pauses = {.times = max_pauses};
  read_map(map, "`nic-pauses`", nic_pause_map_keys, pauses);
}

std::vector<KeyPath> nic_pause_keys() {
  return key_paths(".", nic_pause_map_keys);
}

}  // namespace orrery
