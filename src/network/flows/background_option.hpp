// The option `background`: flows that share the network with all messages.
#pragma once

#include "network/flows/flow.hpp"
#include "network/network_option.hpp"

namespace orrery::core {

// These read, check and fit the option, as NetworkOptionKind says.
SharedOption read_background(const InputNode& node, const OptionFiles& files);
InputFault fault_of_background(const OptionUse& use, const SourceLocation& where);
SharedOption fit_background(const SharedOption& option, const OptionUse& use, const SourceLocation& where);

inline constexpr NetworkOptionKind background_option{
    .key = {.name = "background",
            .fallback = "none",
            .meaning = "[flows](#flows) that share the network with the run, until it ends; the file is "
                       "relative to the experiment's folder",
            .value = "file"},
    .read = read_background,
    .fault = fault_of_background,
    .fit = fit_background,
    .symmetry = Symmetry::others_use_links,
    .why_not_folded = "other things happen on the links",
    .flag_of_traces = "Flows that share the network with the traces, until they end"};

}  // namespace orrery::core
