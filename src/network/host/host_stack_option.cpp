#include "network/host/host_stack_option.hpp"

#include <fmt/format.h>

#include "network/host/host_stack_transport.hpp"

namespace orrery::core {
namespace {

class HostStackOption final : public NetworkOption {
 public:
  explicit HostStackOption(HostStack stack) : stack_(std::make_shared<const HostStack>(std::move(stack))) {}

  const NetworkOptionKind& kind() const override { return host_stack_option; }
  std::unique_ptr<Transport> around(std::unique_ptr<Transport> carrier, const Topology& topology,
                                    EventLoop& loop, bool one_for_all) const override {
    return std::make_unique<HostStackTransport>(stack_, std::move(carrier), loop, topology.npus(),
                                                static_cast<int>(topology.dimensions.size()) - 1,
                                                one_for_all);
  }

  const HostStack& stack() const { return *stack_; }

 private:
  std::shared_ptr<const HostStack> stack_;
};

FileLoader in_folder(const OptionFiles& files) {
  return [&files](const std::string& path) { return files.load((files.folder / path).string()); };
}

}  // namespace

SharedOption option_of(HostStack stack) {
  return std::make_shared<const HostStackOption>(std::move(stack));
}

SharedOption read_stack_option(const InputNode& node, const OptionFiles& files) {
  return option_of(read_host_stack(node, in_folder(files)));
}

InputFault fault_of_stack(const OptionUse& use, const SourceLocation& where) {
  if (use.library)
    return InputError(
        where,
        "the closed forms of a library have the costs of hosts in them; leave `host-stack` out, or "
        "the system's `library`");
  if (!use.model->carries_collectives)
    return InputError(
        where, fmt::format("with the network model `{}` no message of a collective passes a host stack; "
                           "use `fluid` or leave `host-stack` out",
                           use.model->name));
  if (use.at_switches)
    return InputError(where,
                      "messages between NPUs and the switches that add up pass no host stack; leave "
                      "`host-stack` out, or choose another algorithm than sharp and nvls");
  return std::nullopt;
}

SharedOption fit_stack(const SharedOption& option, const OptionUse& use, const SourceLocation& where) {
  const HostStack& stack = static_cast<const HostStackOption&>(*option).stack();
  if (use.topology.npus() % stack.npus_per_host != 0)
    throw InputError(
        where, fmt::format("{} NPUs cannot be {} in each host; take a divisor of them as `npus-per-host`",
                           use.topology.npus(), stack.npus_per_host));
  return option;
}

InputNode stack_written_out(const InputNode& node, const OptionFiles& files) {
  return host_stack_map(node, in_folder(files));
}

void check_stack_file(std::string_view text, const std::string& file) {
  read_host_stack_file(text, file);
}

}  // namespace orrery::core
