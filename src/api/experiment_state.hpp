// What the public class of experiments holds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/input_node.hpp"
#include "network/network_models.hpp"
#include "orrery/experiment.hpp"
#include "study/experiment/experiment.hpp"

namespace orrery {

namespace core {

// The place of an experiment that was put together in code.
inline constexpr std::string_view document_root = "experiment";

// What an experiment was read from, for studies that change it and read it again.
struct ExperimentSource {
  std::string file;                  // its place; files that it names are relative to the folder of this one
  std::string text;                  // of a file
  std::optional<Document> document;  // in place of a text
  ReadOptions options;

  // Returns what read_experiment() interprets.
  InputNode tree() const;
};

// Throws InputError where the options name a network model that does not exist.
std::optional<NetworkModel> network_model_of(const ReadOptions& options, const Extensions& extensions);

}  // namespace core

struct Experiment::State {
  std::shared_ptr<const core::Experiment> experiment;
  std::vector<std::string> warnings;
  std::shared_ptr<const core::ExperimentSource> source;
};

}  // namespace orrery
