#include "study/yaml_data_parallel.hpp"

#include <algorithm>

#include "base/yaml_reader.hpp"
#include "study/yaml_parameter_server.hpp"

namespace orrery {
namespace {

Bytes bucket_size_of(const YamlNode& node, std::string_view key) {
  const Bytes size = bytes_of(node, key);
  if (size == Bytes()) reject_value(node, key, "a size above 0");
  return size;
}

constexpr YamlKey<GradientBuckets> bucket_keys[] = {
    {"size",
     [](const YamlNode& v, GradientBuckets& b) {
       b.size = bucket_size_of(v, "size");
       b.first = std::min(b.first, b.size);
     }},
    {"first", [](const YamlNode& v, GradientBuckets& b) { b.first = bucket_size_of(v, "first"); }},
};

constexpr YamlKey<HostTimes> host_keys[] = {
    {"sample-time", [](const YamlNode& v, HostTimes& h) { h.sample = time_of(v, "sample-time"); }},
    {"exchange-time", [](const YamlNode& v, HostTimes& h) { h.exchange = time_of(v, "exchange-time"); }},
    {"npus", [](const YamlNode& v, HostTimes& h) { h.npus = int_of(v, "npus", 1, 1 << 27); }},
};

void read_buckets(const YamlNode& node, LayerTable& table) {
  table.gradient_buckets.emplace().where = node.where;
  read_map(node, "`gradient-buckets`", bucket_keys, *table.gradient_buckets);
}

void read_host(const YamlNode& node, LayerTable& table) {
  table.host.emplace().where = node.where;
  read_map(node, "a host", host_keys, *table.host);
}

void read_server(const YamlNode& node, LayerTable& table) {
  table.parameter_server = read_yaml_parameter_server(node);
}

constexpr YamlKey<LayerTable> data_parallel_keys[] = {
    {"gradient-buckets", read_buckets, [] { return key_paths(".", bucket_keys); }},
    {"host", read_host, [] { return key_paths(".", host_keys); }},
    {"parameter-server", read_server, yaml_parameter_server_keys},
};

}  // namespace

void read_yaml_data_parallel(const YamlNode& workload, LayerTable& table) {
  for (const auto& key : data_parallel_keys) {
    const YamlNode* node = workload.find(key.name);
    if (!node) continue;
    if (table.policy != TrainingPolicy::data)
      throw InputError(node->where,
                       backquoted(key.name) +
                           " is for the policy `data` alone, under which every NPU has all layers; "
                           "remove it");
    if (table.pipeline)
      throw InputError(node->where,
                       backquoted(key.name) +
                           " is not for pipelines, which exchange gradients layer by layer; remove "
                           "it or the pipeline");
    key.read(*node, table);
  }
}

std::vector<std::string_view> yaml_data_parallel_words() {
  std::vector<std::string_view> words;
  for (const auto& key : data_parallel_keys) words.push_back(key.name);
  return words;
}

std::vector<std::string> yaml_data_parallel_keys() {
  return key_paths(".", data_parallel_keys);
}

}  // namespace orrery
