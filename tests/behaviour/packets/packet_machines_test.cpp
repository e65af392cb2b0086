// Every kind of workload runs packet by packet: on a tree of switches, and on a torus flit by flit
// (docs/machines.md).
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::packet_machines_test {
namespace {

struct Workload {
  std::string name, text;
  // Where a library carries out the collectives, there are messages beside them.
  bool has_messages = true, has_collectives = true;
};

const std::vector<Workload> workloads{
    {"layers",
     "workload: { layers: [ { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, "
     "collective: all-reduce, size: 256 KiB } } ] }\n",
     false},
    {"model-parallel layers",
     "workload: { policy: model, layers: [ { name: a, forward: { compute: 5 us, collective: all-to-all, "
     "size: "
     "256 KiB }, input-gradient: { compute: 7 us, collective: all-gather, size: 64 KiB } } ] }\n",
     false},
    {"pipeline", "workload: { model: lenet5, batch: 8, pipeline: { micro-batches: 2 } }\ndevice: v100\n"},
    {"parameter server", "workload: { model: lenet5, batch: 8, parameter-server: {} }\ndevice: v100\n", true,
     false},
    {"sharded parameter servers",
     "workload: { model: lenet5, batch: 8, parameter-server: { servers: sharded } }\ndevice: v100\n", true,
     false},
    {"transformer",
     "platform: dgx-a100\nworkload: { model: gpt-neo-125m, batch: { global: 8 }, sequence: 64, parallelism: "
     "{ "
     "tensor: 2, pipeline: 2, data: 2 } }\n"},
    {"traces", "workload: { traces: trace }\n"},
};

struct Network {
  std::string name, text;
};

const std::vector<Network> networks{
    {"tree",
     "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns }, levels: [ { size: 4 }, { "
     "size: 2, oversubscription: 2 } ] }\n"},
    {"torus", "network: torus.txt\n"},
};

// Wires of 64 bytes per cycle, twice as wide as those of an example of ASTRA-sim 1.0.
const std::string torus =
    "num-npus: 8 topology: Torus sizes: 4,2 flit-width: 2048 package-link-width: 512 package-packet-size: "
    "4096 local-link-latency: 10 package-link-latency: 100 vcs-per-vnet: 16 buffers-per-vc: 64 "
    "routing-algorithm: Ring_XY\n";

// All NPUs exchange data, and one half sends to the other half.
std::string trace_of(int npu) {
  return trace_of_text(
      fmt::format("compute 1 name=work duration=5 is_cpu_op:bool=0\n"
                  "collective 2 name=sum after=1 comm_type=0 comm_size=262144 is_cpu_op:bool=0\n"
                  "{} 3 name=half after=1 comm_size=65536 comm_tag=1 {}={} is_cpu_op:bool=0\n",
                  npu < 4 ? "send" : "receive", npu < 4 ? "comm_dst" : "comm_src", (npu + 4) % 8));
}

class PacketMachines : public testing::Test {
 protected:
  Outcome run(const Network& network, const Workload& workload, const std::string& more) {
    const std::string file = (scratch_.path() / "experiment.yaml").string();
    write_file_atomically((scratch_.path() / "torus.txt").string(), torus);
    for (int npu = 0; npu < 8; ++npu)
      write_file_atomically((scratch_.path() / fmt::format("trace.{}.et", npu)).string(), trace_of(npu));
    write_file_atomically(file, network.text + workload.text + more);
    return run_orrery({file, "--json", "--output=" + scratch_.path().string()});
  }
  nlohmann::json result(const Network& network, const Workload& workload, const std::string& more) {
    const Outcome outcome = run(network, workload, more);
    EXPECT_EQ(outcome.exit_code, 0) << workload.name << " on " << network.name << ": " << outcome.error;
    if (outcome.exit_code != 0) return {};
    return nlohmann::json::parse(outcome.output)["runs"][0];
  }

  // Packets have headers or wait, which flows leave out. Times differ by less than a factor: a message of
  // flits has one of two rings.
  void expect_little_more_than_flows(const Network& network, const Workload& workload) {
    SCOPED_TRACE(workload.name + " on " + network.name);
    const nlohmann::json packets = result(network, workload, "network-model: packet\n");
    const nlohmann::json flows = result(network, workload, "network-model: fluid\n");
    if (packets.empty() || flows.empty()) return;
    EXPECT_EQ(packets["network_model"], "packet");
    const double ratio = packets["total_us"].get<double>() / flows["total_us"].get<double>();
    EXPECT_GT(ratio, 1);
    EXPECT_LT(ratio, 2.5);
    EXPECT_EQ(packets["messages"], flows["messages"]);
  }

  TemporaryFolder scratch_;
};

TEST_F(PacketMachines, EveryWorkloadRunsOnATree) {
  for (const Workload& workload : workloads) expect_little_more_than_flows(networks[0], workload);
}

TEST_F(PacketMachines, EveryWorkloadRunsFlitByFlitSlow) {
  for (const Workload& workload : workloads) expect_little_more_than_flows(networks[1], workload);
}

// Reports say what packets and flits met, but not what nobody followed.
TEST_F(PacketMachines, ReportsKnowPackets) {
  const std::string model = "network-model: packet\n";
  const nlohmann::json packets = result(networks[0], workloads[0], model);
  EXPECT_GT(packets["busiest_links"][0]["packets"], 0);
  EXPECT_TRUE(packets["busiest_links"][0].contains("longest_queue"));
  EXPECT_GT(packets["fullest_switches"][0]["peak"], 0);
  const std::string file = (scratch_.path() / "experiment/experiment/switches.csv").string();
  EXPECT_EQ(read_file_of_any_kind(file).substr(0, 25), "switch,buffer,peak,drops,");
  const nlohmann::json steady =
      result(networks[0], workloads[0], model + "packets: { every-packet: false }\n");
  EXPECT_FALSE(steady["busiest_links"][0].contains("longest_queue"));
  EXPECT_FALSE(steady.contains("fullest_switches"));
  EXPECT_FALSE(file_exists(file));  // that of the run before
  const nlohmann::json flits = result(networks[1], workloads[0], model);
  EXPECT_GT(flits["busiest_links"][0]["flits"], 0);
  EXPECT_FALSE(flits.contains("fullest_switches"));
}

// Every message counts once in the table of times, except the last ones, of which no sender hears any more.
TEST_F(PacketMachines, MessagesHaveTimes) {
  const nlohmann::json run =
      result(networks[0], workloads[0], "network-model: packet\nmessage-times: true\n");
  std::istringstream lines(
      read_file_of_any_kind((scratch_.path() / "experiment/experiment/messages.csv").string()));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "from_bytes,to_bytes,messages,mean_us,longest_us,mean_slowdown,largest_slowdown,resent");
  std::uint64_t messages = 0;
  while (std::getline(lines, line)) {
    std::vector<double> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(std::stod(cell));
    ASSERT_EQ(cells.size(), 8u);
    EXPECT_EQ(cells[1], 2 * cells[0]);
    messages += static_cast<std::uint64_t>(cells[2]);
    EXPECT_LE(cells[3], cells[4]);
    EXPECT_GE(cells[5], 1);
    EXPECT_LE(cells[5], cells[6]);
    EXPECT_EQ(cells[7], 0);
  }
  EXPECT_LE(messages, run["messages"].get<std::uint64_t>());
  EXPECT_GE(messages, run["messages"].get<std::uint64_t>() - 8);  // one of each NPU
}

// Where a library carries out the collectives, other messages go as packets.
TEST_F(PacketMachines, OtherMessagesGoBesideALibrary) {
  for (const Network& network : networks)
    for (const Workload& workload : workloads) {
      const Outcome outcome = run(network, workload, "system: { library: nccl }\nnetwork-model: packet\n");
      const bool runs = workload.has_messages && workload.has_collectives;
      EXPECT_EQ(outcome.exit_code, runs ? 0 : 2)
          << workload.name << " on " << network.name << ": " << outcome.error;
    }
}

TEST_F(PacketMachines, ExecutionTracesRun) {
  const std::string folder = scratch_.path().string();
  const Outcome made = [&] {
    write_file_atomically(folder + "/torus.txt", torus);
    write_file_atomically(folder + "/tree.yaml", networks[0].text.substr(networks[0].text.find('{')));
    write_file_atomically(folder + "/system.json",
                          "{ \"all-reduce-implementation\": [ \"ring\", \"ring\" ] }");
    write_file_atomically(folder + "/recording.yaml", networks[1].text + workloads[0].text);
    return call_orrery({"convert", folder + "/recording.yaml", "--output=" + folder + "/traces"});
  }();
  ASSERT_EQ(made.exit_code, 0) << made.error;
  for (const char* network : {"torus.txt", "tree.yaml"}) {
    const Outcome outcome =
        call_orrery({"run", "--workload-configuration=" + folder + "/traces/recording",
                     "--system-configuration=" + folder + "/system.json",
                     "--network-configuration=" + folder + "/" + network, "--network-model=packet"});
    EXPECT_EQ(outcome.exit_code, 0) << network << ": " << outcome.error;
  }
}

// Flows that share the network with a run, and host stacks that carry its messages, know no vnets.
TEST_F(PacketMachines, BackgroundsAndHostStacksGoOverFlits) {
  write_file_atomically((scratch_.path() / "flows.csv").string(), "source,destination,bytes\n0,5,10000000\n");
  const double alone = result(networks[1], workloads[0], "network-model: packet\n")["total_us"];
  for (const char* more : {"background: flows.csv\n", "host-stack: rdma\n"}) {
    const nlohmann::json run =
        result(networks[1], workloads[0], std::string("network-model: packet\n") + more);
    ASSERT_FALSE(run.empty());
    EXPECT_GT(run["total_us"].get<double>(), alone) << more;
  }
}

}  // namespace
}  // namespace orrery::core::test::packet_machines_test
