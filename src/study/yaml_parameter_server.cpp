#include "study/yaml_parameter_server.hpp"

#include <array>

#include "base/words.hpp"
#include "base/yaml_reader.hpp"

namespace orrery {
namespace {

constexpr int largest_rank = (1 << 27) - 1, largest_staleness = 1 << 20;

constexpr std::array<Word<bool>, 2> server_words{{{"1", false}, {"sharded", true}}};
constexpr std::array<Word<bool>, 2> synchronization_words{{{"synchronous", true}, {"asynchronous", false}}};

constexpr YamlKey<ParameterServerOptions> parameter_server_keys[] = {
    {"servers", [](const YamlNode& v,
                   ParameterServerOptions& o) { o.sharded = word_value_of(v, "servers", server_words); }},
    {"rank",
     [](const YamlNode& v, ParameterServerOptions& o) {
       if (o.sharded)
         throw InputError(v.where, "every rank is a server when they are sharded; leave `rank` out");
       o.rank = int_of(v, "rank", 0, largest_rank);
       o.rank_where = v.where;
     }},
    {"synchronization",
     [](const YamlNode& v, ParameterServerOptions& o) {
       o.synchronous = word_value_of(v, "synchronization", synchronization_words);
     }},
    {"staleness",
     [](const YamlNode& v, ParameterServerOptions& o) {
       if (o.synchronous)
         throw InputError(
             v.where,
             "ranks that are synchronous are never ahead of each other; leave `staleness` out or "
             "write `synchronization: asynchronous`");
       o.staleness = int_of(v, "staleness", 0, largest_staleness);
     }},
    {"update-bandwidth",
     [](const YamlNode& v, ParameterServerOptions& o) {
       o.update_bandwidth = bandwidth_of(v, "update-bandwidth");
     }},
};

}  // namespace

ParameterServerOptions read_yaml_parameter_server(const YamlNode& node) {
  ParameterServerOptions options;
  options.where = options.rank_where = node.where;
  read_map(node, "a parameter server", parameter_server_keys, options);
  return options;
}

std::vector<std::string> yaml_parameter_server_keys() {
  return key_paths(".", parameter_server_keys);
}

}  // namespace orrery
