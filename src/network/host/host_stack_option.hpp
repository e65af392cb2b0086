// The option `host-stack`: messages pass a stack of their hosts at their ends.
#pragma once

#include "network/host/host_stack_file.hpp"
#include "network/network_option.hpp"

namespace orrery::core {

SharedOption option_of(HostStack stack);

// These read, check, fit and write out the option, as NetworkOptionKind says.
SharedOption read_stack_option(const InputNode& node, const OptionFiles& files);
InputFault fault_of_stack(const OptionUse& use, const SourceLocation& where);
SharedOption fit_stack(const SharedOption& option, const OptionUse& use, const SourceLocation& where);
InputNode stack_written_out(const InputNode& node, const OptionFiles& files);
void check_stack_file(std::string_view text, const std::string& file);

inline constexpr NetworkOptionKind host_stack_option{
    .key = {.name = "host-stack",
            .fallback = "none",
            .meaning = "[who carries messages](#host-stacks) between memory and the network",
            .below = host_stack_keys,
            .value = "name, file or map",
            .sample = "kernel-tcp"},
    .read = read_stack_option,
    .fault = fault_of_stack,
    .fit = fit_stack,
    .symmetry = Symmetry::phases_meet,
    .why_not_folded = "messages may meet on links",
    .written_out = stack_written_out,
    .flag_of_flows =
        "Who carries flows between memory and the network: a stack that Orrery knows (`orrery "
        "list host-stacks`), or a file",
    .file = {.name = "a host stack",
             .taken_by = "the key `host-stack` of an experiment",
             .keys = host_stack_file_keys,
             .check = check_stack_file},
    .names = host_stack_names};

}  // namespace orrery::core
