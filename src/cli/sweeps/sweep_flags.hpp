// The flags of `orrery sweep`.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags/network_model_flag.hpp"
#include "cli/flags/plugin_flags.hpp"

namespace orrery::core {

struct SweepFlags {
  const CLI::App* command = nullptr;
  std::string file, store, output = "results", limit, only, shard, reports;
  std::vector<std::string> overrides;
  PluginFlags plugins;
  NetworkModelFlag network_model;
  int threads = 1;
  bool fold = true, allow_out_of_memory = false, any_version = false, retry_failed = false, json = false;

  // Of a task of a cluster: its part of the sweep.
  std::optional<std::size_t> part;
  std::string parts, spare_store;

  // Of Slurm.
  bool slurm = false, wait = false, dry_run = false, status = false;
  std::string partition, account, time;
  std::optional<int> cpus;
  std::optional<std::size_t> array_limit, tasks;

  bool is_given(const char* flag) const { return command->count(flag) > 0; }
};

// Adds them. `flags` has to live as long as the command.
void add_sweep_flags(CLI::App& command, SweepFlags& flags);

// Throws InputError where flags are given that say nothing together.
void check_sweep_flags(const SweepFlags& flags);

}  // namespace orrery::core
