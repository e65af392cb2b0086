#include "cli/flags/flag_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/diagnostics/diagnostics.hpp"
#include "cli/flags/heap_arenas.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "study/run/run_pool.hpp"

namespace orrery::core {

namespace {

constexpr int max_threads = 1024;

}  // namespace

double scale_factor(const std::string& text, const char* flag, bool single_precision) {
  float rounded = 0;
  double exact = 0;
  const char* end = text.data() + text.size();
  const auto parsed = single_precision ? std::from_chars(text.data(), end, rounded)
                                       : std::from_chars(text.data(), end, exact);
  const double value = single_precision ? rounded : exact;
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value) || value < 0) {
    throw InputError({flag}, "'" + text + "' is no scale factor, write a number of at least 0 such as 0.41");
  }
  return value;
}

int checked(int value, int least, int most, const char* flag) {
  if (value < least || value > most) {
    throw InputError({flag}, std::to_string(value) + " is out of range, choose " + std::to_string(least) +
                                 " to " + std::to_string(most));
  }
  return value;
}

int checked_queues(int queues) {
  return checked(queues, 1, 1024, "--num-queues-per-dim");
}

int checked_threads(int threads) {
  return checked(threads, 1, max_threads, "--threads");
}

int usual_threads() {
  return std::min({default_threads(), max_threads, threads_that_fit_limit()});
}

void add_experiments(CLI::App& command, std::vector<std::string>& files,
                     std::vector<std::string>& overrides) {
  command.add_option("experiment", files, "Experiment files (YAML)");
  add_overrides(command, overrides);
}

void add_interval(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option_function<std::string>(
      "--interval", [&overrides](const std::string& share) { overrides.push_back("interval=" + share); },
      "Share of measurements that the intervals of what is predicted hold, as the key `interval` (default: "
      "0.8)");
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Replace a value of the experiment file: KEY=VALUE, repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_fold(CLI::App& command, bool& fold) {
  command
      .add_option_function<std::string>(
          "--fold",
          [&fold](const std::string& word) {
            constexpr std::array<EnumName<bool>, 2> fold_words{{{"auto", true}, {"off", false}}};
            fold = word_of_flag(fold_words, word, "--fold");
          },
          "Simulate equal ranks once where that is exact: auto (default) or off")
      ->expected(1);
}

void add_allow_out_of_memory(CLI::App& command, bool& allow) {
  command.add_flag("--allow-oom", allow, "Only warn of models that do not fit the memory of their device");
}

std::shared_ptr<const PacketSettings> packets_of_flag(const std::string& file, const Topology& topology,
                                                      NetworkModel model, Warnings& warnings,
                                                      const FileLoader& load) {
  throw_if(fault_of_packets(topology, model, {"--packets"}, "it"));
  auto packets =
      std::make_shared<const PacketSettings>(read_packet_file(load(file), file, load.extensions()));
  check_packet_keys(topology, *packets, warnings);
  return packets;
}

}  // namespace orrery::core
