// Turns documents into the trees that all readers take, and back.
#pragma once

#include <string>

#include "base/input/input_node.hpp"
#include "orrery/document.hpp"

namespace orrery::core {

// Every value gets its path as its place, such as "experiment.runs[2].workload"; `root` is that of the whole.
InputNode node_of(const Document& document, const std::string& root);
Document document_of(const InputNode& node);

}  // namespace orrery::core
