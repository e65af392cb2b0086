#include "network/flows/background_option.hpp"

#include <fmt/format.h>

#include <memory>

#include "network/carried_transport.hpp"
#include "network/flows/flow_file.hpp"
#include "network/flows/flow_source.hpp"

namespace orrery::core {

namespace {

// Carries messages by another transport, over which it also sends flows that share the network with them but
// have nothing else to do with them.
class Background final : public CarriedTransport {
 public:
  Background(std::shared_ptr<const std::vector<Flow>> flows, std::unique_ptr<Transport> carrier,
             EventLoop& loop)
      : CarriedTransport(std::move(carrier)),
        flows_(std::move(flows)),
        source_(*flows_, loop, this->carrier()) {}

  bool has_events_of_its_own() const override { return true; }

 private:
  std::shared_ptr<const std::vector<Flow>> flows_;
  FlowSource source_;
};

class BackgroundOption final : public NetworkOption {
 public:
  // `of_nodes` says that the flows' ends are numbers of nodes, as they stand in the network's file.
  BackgroundOption(std::vector<Flow> flows, bool of_nodes)
      : flows_(std::make_shared<const std::vector<Flow>>(std::move(flows))), of_nodes_(of_nodes) {}

  const NetworkOptionKind& kind() const override { return background_option; }
  std::unique_ptr<Transport> around(std::unique_ptr<Transport> carrier, const Topology& /*topology*/,
                                    EventLoop& loop, bool /*one_for_all*/) const override {
    return std::make_unique<Background>(flows_, std::move(carrier), loop);
  }

  const std::vector<Flow>& flows() const { return *flows_; }
  bool of_nodes() const { return of_nodes_; }

 private:
  std::shared_ptr<const std::vector<Flow>> flows_;
  bool of_nodes_;
};

}  // namespace

SharedOption read_background(const InputNode& node, const OptionFiles& files) {
  const std::string path = (files.folder / scalar_of(node, background_option.key.name)).string();
  std::string text;
  try {
    text = files.load(path);
  } catch (const InputError& error) {
    if (node.where.line == 0) throw;  // a flag, whose file is all that has to be told
    throw InputError(node.where, error.what());
  }
  return std::make_shared<const BackgroundOption>(read_flow_file(text, path), names_nodes(text));
}

InputFault fault_of_background(const OptionUse& use, const SourceLocation& where) {
  if (use.model->carries_collectives) return std::nullopt;
  if (use.by_flags)
    return InputError(where,
                      "nothing meets the traces' collectives; use --network-model=fluid, or leave it out");
  return InputError(
      where, fmt::format("with the network model `{}` nothing meets the run's collectives; use `fluid` or "
                         "leave `background` out",
                         use.model->name));
}

SharedOption fit_background(const SharedOption& option, const OptionUse& use,
                            const SourceLocation& /*where*/) {
  const auto& background = static_cast<const BackgroundOption&>(*option);
  SharedOption fitting = option;
  if (background.of_nodes()) {
    std::vector<Flow> between_npus = background.flows();
    find_npus(between_npus, use.topology);
    fitting = std::make_shared<const BackgroundOption>(std::move(between_npus), false);
  }
  const auto& flows = static_cast<const BackgroundOption&>(*fitting).flows();
  check_ends(flows, use.topology.npus());
  check_priorities(flows, use.topology, use.model);
  return fitting;
}

}  // namespace orrery::core
