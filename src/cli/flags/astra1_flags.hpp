// The command line of ASTRA-sim 1.0.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/files/file_loader.hpp"
#include "report/astra1/result_folder.hpp"
#include "study/run/run_spec.hpp"
#include "topology/files/network_file.hpp"

namespace orrery::core {

struct Astra1Flags {
  std::string workload, system, network;  // files
  std::string dialect = "astra-sim-1.0";
  int passes = 1;
  int queues_per_dimension = 1;
  std::string compute_scale = "1", comm_scale = "1", injection_scale = "1";
  bool rendezvous = false;
  NetworkOverrides network_overrides;
  ResultOptions results;

  void add_to(CLI::App& command);
  bool any_given() const;
  // Throws InputError where flags are given beside an experiment file.
  void refuse_beside(const std::string& file) const;
  // Returns whether the flag of this name, dashes included, was given.
  bool given(const std::string& name) const;

 private:
  std::vector<const CLI::Option*> options_;
};

// Reads the files that the flags name. Throws InputError.
RunSpec read_run(const Astra1Flags& flags, Warnings& warnings, const FileLoader& load);

}  // namespace orrery::core
