// Gives the compute model of a device: systolic arrays if it is made of them, otherwise the roofline.
// Whatever computes a network on a device gets its model here.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "compute/compute_model.hpp"
#include "compute/device.hpp"

namespace orrery::core {

struct ComputingDevice {
  Device facts;
  std::shared_ptr<const ComputeModel> model;
};

// Throws InputError when the device's facts do not suffice, and when its compute model is not among the
// extensions.
ComputingDevice computing_device(const Device& device, const Extensions& extensions = no_extensions);

// Finds a device by the rules of find_device() for a calculator, which has a model of its own. Throws
// InputError where the device names a compute model, which the calculator would not ask.
Device find_calculated_device(const std::string& name_or_file, const SourceLocation& where,
                              const FileLoader& load);

// Finds a device of the catalogue or of a file by the rules of find_device().
ComputingDevice find_computing_device(const std::string& name_or_file, const SourceLocation& where,
                                      const FileLoader& load);
// Finds the device that an input names, or describes by a map of changes: see device_map().
ComputingDevice find_computing_device(const InputNode& node, const std::filesystem::path& folder,
                                      const FileLoader& load);

// Returns the number format in which networks are trained unless the user chooses another: fp16 where the
// device multiplies in it, else bf16, else fp32.
Datatype usual_datatype(const Device& device);

// Number formats of a training that is asked to use `asked`. Recipes with formats of less than 16 bits, such
// as Transformer Engine's, use them only in the products of linear layers. Everything else, such as tensors
// that are kept or sent, softmax and norms, is in the device's usual format.
struct TrainingFormats {
  Datatype tensors;
  std::optional<Datatype> linear;  // of products with weights; none: they have the format of tensors
};
TrainingFormats training_formats(const Device& device, Datatype asked);

}  // namespace orrery::core
