// NCCL's dump of an NVLink domain holds what each of several processes has found, so that the same device may
// stand in it more than once.
#pragma once

#include "base/input/xml_file.hpp"

namespace orrery {

// Makes one element of CPUs, PCI devices and GPUs that stand side by side and are equal in all attributes, as
// NCCL does with the files of all processes. What stands in them is compared in the same way.
void fuse_equal_elements(XmlElement system);

}  // namespace orrery
