#include "report/network/channels_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "report/table/table.hpp"

namespace orrery::core {
namespace {

constexpr std::size_t page_width = 80, max_hops = 16;

std::vector<NodeId> npus_of(const NetworkGraph& graph) {
  std::vector<NodeId> npus(graph.npus());
  std::iota(npus.begin(), npus.end(), NodeId(0));
  return npus;
}

double gb_per_s(Rate rate) {
  constexpr double per_gb = 1000;
  return static_cast<double>(rate) / per_gb;
}

// Puts words in lines, of which all but the first are indented.
std::string lines_of_words(const std::vector<std::string>& words, std::size_t indent) {
  std::string text;
  std::size_t column = 0;
  for (const std::string& word : words) {
    const bool full = column > 0 && column + 1 + word.size() > page_width;
    if (full) text += "\n" + std::string(indent, ' ');
    if (!full && column > 0) text += " ";
    column = full ? indent + word.size() : column + (column > 0 ? 1 : 0) + word.size();
    text += word;
  }
  return text + "\n";
}

std::string_view name_of_pattern(ChannelPattern pattern, bool leaves_machine) {
  if (pattern == ChannelPattern::ring) return "rings";
  if (!leaves_machine) return "trees";
  return pattern == ChannelPattern::tree ? "trees, whose first NPU has all traffic of the NIC"
                                         : "trees, whose first two NPUs share the traffic of the NIC";
}

std::string rates_text(const HostChannels& of) {
  const std::string count = fmt::format("{} at {:g} GB/s", of.channels.size(), gb_per_s(of.rate_inside));
  return of.rate_inside == of.rate_outside ? count
                                           : count + fmt::format(", by NICs {:g}", gb_per_s(of.rate_outside));
}

}  // namespace

ChannelsReport::ChannelsReport(const NetworkGraph& graph, const std::string& file)
    : graph_(graph), channels_(graph, npus_of(graph), {file}) {}

std::string ChannelsReport::channels_on(std::size_t host, const HostChannels& of) const {
  const Host& machine = channels_.hosts()[host];
  std::string text =
      fmt::format("\n{}, {}\n", name_of_pattern(of.pattern, !machine.nics.empty()), rates_text(of));
  // NPUs may be their own NICs.
  const bool has_nics = !machine.nics.empty() && graph_.node(machine.nics[0]).kind == NodeKind::nic;
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < of.channels.size(); ++i) {
    const HostChannel& channel = of.channels[i];
    const bool again = i > 0 && channel.order == of.channels[i - 1].order && !has_nics;
    repeats += again;
    if (again) continue;
    std::vector<std::string> words{fmt::format("{:>4} ", i)};
    if (has_nics) words.push_back(name(machine.nics[channel.entry]) + " >");
    for (const std::uint32_t gpu : channel.order) words.push_back(name(machine.gpus[gpu]));
    if (has_nics) words.push_back("> " + name(machine.nics[channel.exit]));
    text += lines_of_words(words, 6);
  }
  if (repeats > 0) text += fmt::format("      {} more have the same order as the one before them\n", repeats);
  return text;
}

std::string ChannelsReport::between_machines() const {
  std::string text;
  const auto list = [&](const std::string& title, const std::vector<ChannelHop>& hops) {
    std::vector<std::string> words;
    std::size_t left_out = 0;
    for (const ChannelHop& hop : hops) {
      if (!hop.between_machines) continue;
      if (words.size() == max_hops) {
        ++left_out;
        continue;
      }
      std::string route = name(hop.from);
      for (const NodeId node : hop.through) route += ">" + name(node);
      words.push_back(route + ">" + name(hop.to));
    }
    if (left_out > 0) words.push_back(fmt::format("and {} more", left_out));
    if (!words.empty()) words.front().insert(0, "  ");
    text += "\n" + title + "\n" + lines_of_words(words, 2);
  };
  list("ring 0 between machines", channels_.ring(0));
  list("tree 0 between machines, upwards", channels_.tree(0));
  list(fmt::format("tree {} between machines, upwards", channels_.searched()),
       channels_.tree(channels_.searched()));
  return text;
}

std::string ChannelsReport::text() const {
  const auto& hosts = channels_.hosts();
  std::string text = "channels of NCCL 2.27 for collectives of all NPUs\n";
  text += report_line("machines", fmt::format("{}", hosts.size()));
  text += report_line("search channels", fmt::format("{}", channels_.searched()));
  text += report_line("executed channels", fmt::format("{}", channels_.executed()),
                      "each has a part of the bytes, a ring and a tree");
  std::vector<const GroupChannels::HostPlan*> shown;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    const GroupChannels::HostPlan& plan = channels_.plan(host);
    if (std::ranges::find(shown, &plan) != shown.end()) continue;
    shown.push_back(&plan);
    text += fmt::format("\nmachine of {}: {} NPUs, {} NICs", name(hosts[host].gpus[0]),
                        hosts[host].gpus.size(), hosts[host].nics.size());
    if (!plan.heads.empty()) text += fmt::format(", {} heads of NVLS", plan.heads.size());
    text += "\n" + channels_on(host, plan.ring) + channels_on(host, plan.tree);
  }
  return hosts.size() > 1 ? text + between_machines() : text;
}

nlohmann::ordered_json ChannelsReport::json_of(const std::vector<ChannelHop>& hops) const {
  auto list = nlohmann::ordered_json::array();
  for (const ChannelHop& hop : hops) {
    nlohmann::ordered_json json{{"from", name(hop.from)}, {"to", name(hop.to)}};
    for (const NodeId node : hop.through) json["through"].push_back(name(node));
    list.push_back(std::move(json));
  }
  return list;
}

nlohmann::ordered_json ChannelsReport::json() const {
  nlohmann::ordered_json json{{"machines", channels_.hosts().size()},
                              {"searched", channels_.searched()},
                              {"executed", channels_.executed()}};
  const auto rates = [](const HostChannels& of) {
    return nlohmann::ordered_json{{"inside_gb_per_s", gb_per_s(of.rate_inside)},
                                  {"outside_gb_per_s", gb_per_s(of.rate_outside)}};
  };
  json["rings"] = rates(channels_.plan(0).ring);
  json["trees"] = rates(channels_.plan(0).tree);
  json["nvls_heads"] = channels_.plan(0).heads.size();
  for (std::size_t channel = 0; channel < channels_.executed(); ++channel)
    json["list"].push_back(
        {{"ring", json_of(channels_.ring(channel))}, {"tree", json_of(channels_.tree(channel))}});
  return json;
}

}  // namespace orrery::core
