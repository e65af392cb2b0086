// The compute model of a device: systolic arrays where it is made of them, else the roofline. All that
// computes a network on a device asks here.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostics.hpp"
#include "base/input_node.hpp"
#include "compute/compute_model.hpp"
#include "compute/device.hpp"

namespace orrery {

struct ComputingDevice {
  Device facts;
  std::shared_ptr<const ComputeModel> model;
};

// Throws InputError when the device's facts do not suffice.
ComputingDevice computing_device(const Device& device);

// A device of the catalogue or of a file, as find_device() has it.
ComputingDevice find_computing_device(const std::string& name_or_file, const SourceLocation& where);
// One that an input names, or changes by a map: see device_map().
ComputingDevice find_computing_device(const InputNode& node, const std::filesystem::path& folder);

// Returns the number format in which networks are trained unless the user chooses another: fp16 where the
// device multiplies in it, else bf16, else fp32.
Datatype usual_datatype(const Device& device);

// Number formats of training that is asked to use `asked`. Recipes with formats of less than 16 bits, such as
// Transformer Engine's, use them in the products of linear layers alone: everything else is in the device's
// usual format, such as tensors that are kept or sent, softmax and norms.
struct TrainingFormats {
  Datatype tensors;
  std::optional<Datatype> linear;  // of products with weights; none: that of tensors
};
TrainingFormats training_formats(const Device& device, Datatype asked);

}  // namespace orrery
