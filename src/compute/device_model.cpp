#include "compute/device_model.hpp"

#include "compute/device_file.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "compute/systolic/systolic_device_model.hpp"

namespace orrery::core {

ComputingDevice computing_device(const Device& device) {
  if (device.systolic) return {device, std::make_shared<const SystolicDeviceModel>(device)};
  return {device, std::make_shared<const RooflineModel>(device)};
}

ComputingDevice find_computing_device(const std::string& name_or_file, const SourceLocation& where,
                                      const FileLoader& load) {
  return computing_device(find_device(name_or_file, where, load));
}

ComputingDevice find_computing_device(const InputNode& node, const std::filesystem::path& folder,
                                      const FileLoader& load) {
  return computing_device(read_device(device_map(node, folder, load)));
}

Datatype usual_datatype(const Device& device) {
  for (const Datatype type : {Datatype::fp16, Datatype::bf16})
    if (device.product_peak(type) > 0) return type;
  return Datatype::fp32;
}

TrainingFormats training_formats(const Device& device, Datatype asked) {
  constexpr double narrowest_tensor = 2;  // bytes
  if (bytes_of(asked) >= narrowest_tensor) return {asked, {}};
  return {usual_datatype(device), asked};
}

}  // namespace orrery::core
