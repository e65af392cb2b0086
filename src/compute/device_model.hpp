// The compute model of a device: systolic arrays where it is made of them, else the roofline. All that
// computes a network on a device asks here.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostics.hpp"
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

// What networks are trained in unless the user says otherwise: fp16 where the device multiplies in it, else
// bf16, else fp32.
Datatype usual_datatype(const Device& device);

}  // namespace orrery
