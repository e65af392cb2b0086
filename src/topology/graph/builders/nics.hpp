// The NICs of a box of NPUs.
#pragma once

#include <optional>

#include "topology/graph/builders/network_plan.hpp"

namespace orrery {

struct Nics {
  int count = 0, pcie_switches = 0;
  Cable link;
};

inline constexpr int max_nics = 1024;

inline constexpr Key<Nics> nic_keys[] = {
    key::integer<&Nics::count>("count", 1, max_nics, "required",
                               "number of NICs of a box, a multiple or a divisor of the number of its NPUs: "
                               "several NICs for each NPU, or one for several NPUs next to each other")
        .better(Better::more)
        .hardware(),
    key::integer<&Nics::pcie_switches>("pcie-switches", 1, max_nics, "none",
                                       "number of PCIe switches, to which NPUs and NICs are dealt evenly, in "
                                       "their order; without any, NPUs and NICs are joined directly")
        .better(Better::more)
        .hardware(),
    key::map<cable_keys, &Nics::link>("link", "a link", "required",
                                      "link between an NPU and a NIC, such as by a PCIe switch; with "
                                      "`pcie-switches`, link from such a switch to an NPU or a NIC"),
};

// Throws InputError at the NICs of `map` if they cannot be dealt to so many NPUs.
void check_nics(const std::optional<Nics>& nics, int npus, const InputNode& map);

// Adds the NICs, and returns the ports of the box: the NICs, or the NPUs where there are none.
Ports add_nics(GraphDraft& draft, const Ports& npus, const std::optional<Nics>& nics);

}  // namespace orrery
