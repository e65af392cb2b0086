// Lists what comes with the program, for `orrery list`: devices, models, transformers, platforms and host
// stacks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "compute/device.hpp"
#include "network/host/host_stack.hpp"
#include "report/table/table.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/training/platform.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

struct ListedDevice {
  std::string name;  // what users write
  Device device;
};
struct ListedTransformer {
  std::string word;  // what users call it: "llama3-8b"
  Transformer model;
};
struct ListedPlatform {
  std::string word;  // what users call it: "dgx-a100"
  Platform platform;
};

struct ListedHostStack {
  std::string word;  // what users call it: "kernel-tcp"
  HostStack stack;
};

extern const Table<ListedDevice> device_table;
extern const Table<ModelSummary> model_table;
extern const Table<ListedTransformer> transformer_table;
extern const Table<ListedPlatform> platform_table;
extern const Table<ListedHostStack> host_stack_table;

// The following functions return their lists in alphabetical order of the words.
std::vector<ListedDevice> listed_devices();
std::vector<ListedTransformer> listed_transformers();
std::vector<ListedPlatform> listed_platforms();
std::vector<ListedHostStack> listed_host_stacks();

// Returns the objects of the table's JSON, together with members of more than one value: peaks by datatype
// and sources.
nlohmann::ordered_json device_list_to_json(const std::vector<ListedDevice>& devices);

}  // namespace orrery::core
