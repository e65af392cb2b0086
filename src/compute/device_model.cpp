#include "compute/device_model.hpp"

#include "base/diagnostics/words.hpp"
#include "compute/device_file.hpp"
#include "compute/foreign_model.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "compute/systolic/systolic_device_model.hpp"

namespace orrery::core {

namespace {

std::shared_ptr<const ComputeModel> foreign_model(const Device& device, const Extensions& extensions) {
  const NamedComputeModel& named = *device.compute_model;
  auto model = extensions.find<ForeignComputeModel>(named.name);
  if (model) return std::make_shared<const ForeignModel>(device, std::move(model));
  const std::vector<std::string_view> known = extensions.names<ForeignComputeModel>();
  throw InputError(named.where, backquoted(named.name) + " is no compute model of a plug-in" +
                                    (known.empty() ? ", and none is loaded: load one with `--plugin`"
                                                   : "; use " + alternatives(known)));
}

}  // namespace

ComputingDevice computing_device(const Device& device, const Extensions& extensions) {
  if (device.compute_model) return {device, foreign_model(device, extensions)};
  if (device.systolic) return {device, std::make_shared<const SystolicDeviceModel>(device)};
  return {device, std::make_shared<const RooflineModel>(device)};
}

Device find_calculated_device(const std::string& name_or_file, const SourceLocation& where,
                              const FileLoader& load) {
  Device device = find_device(name_or_file, where, load);
  if (device.compute_model)
    throw InputError(device.compute_model->where,
                     "a calculator has a model of its own, and does not ask the compute model " +
                         backquoted(device.compute_model->name) + "; leave `compute-model` out");
  return device;
}

ComputingDevice find_computing_device(const std::string& name_or_file, const SourceLocation& where,
                                      const FileLoader& load) {
  return computing_device(find_device(name_or_file, where, load), load.extensions());
}

ComputingDevice find_computing_device(const InputNode& node, const std::filesystem::path& folder,
                                      const FileLoader& load) {
  return computing_device(read_device(device_map(node, folder, load)), load.extensions());
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
