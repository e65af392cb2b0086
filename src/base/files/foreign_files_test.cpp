#include "base/files/foreign_files.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <utility>
#include <vector>

namespace orrery::core::foreign_files_test {
namespace {

std::string_view name_of(std::string_view text) {
  const ForeignFile* file = foreign_file_of(text);
  return file ? file->name : std::string_view();
}

TEST(ForeignFiles, AreToldByTheirContent) {
  using namespace std::string_view_literals;
  for (const auto& [text, name] : std::vector<std::pair<std::string_view, std::string_view>>{
           {R"({"name": "x", "collective": "allgather", "protocol": "Simple", "inplace": false, "gpus": []})",
            "a plan of MSCCL++"},
           {R"({"name": "a", "collective": "allreduce", "protocol": "Simple", "gpus": []})",
            "a plan of MSCCL++"},
           {R"({"schema": "1.1.1-chakra.0.0.4", "pid": 1, "nodes": []})", "a PyTorch execution trace"},
           {R"({"schema": "1.0.1", "nodes": []})", "a PyTorch execution trace"},
           {R"({ "workload_graph": [] })", "a workload graph in the JSON form of Chakra's feeder"},
           {"{ \"version\": \"0.0.4\" }\n{ \"id\": \"3\", \"type\": \"COMP_NODE\" }",
            "an execution trace in the JSON form of `chakra_jsonizer`"},
           {R"({"nodes": [ {"id": 0, "node_type": "comp_node"} ]})",
            "an execution trace in STAGE's JSON form"},
           {R"({"hidden": 1, "feedforward": 4, "attn_heads": 2})", "an application of Calculon"},
           {R"({"num_procs": 8, "tensor_par": 2})", "an execution of Calculon"},
           {R"({"matrix": {}, "mem1": {}, "networks": []})", "a system of Calculon"},
           {"devices:\n  - name: host\ninstances:\n  - { name: box }\n", "an infrastructure of InfraGraph"},
           {"infrastructure:\n  devices: []\n  instances: []\n", "an infrastructure of InfraGraph"},
           {R"({"devices": [], "instances": []})", "an infrastructure of InfraGraph"},
           {R"("infrastructure": {"devices": [{"name": d}], "instances": [{"name": h}]})",
            "an infrastructure of InfraGraph"},
           {"infrastructure: { 'devices': [], instances : [] }\n", "an infrastructure of InfraGraph"},
           {"\x0a\x05infra\x12\x03"
            "abc\x1a\x02\x0a\x00"sv,
            "an infrastructure of InfraGraph in protobuf"},
           {"name: x\ndevices:\n  - name: d\n    connections: [cpu.0.pcie.xpu.1]\n",
            "an infrastructure in InfraGraph's draft form with `connections`"},
           {"/* ping */\n// pong\nnum_ranks 2\n", "a schedule in GOAL, the language of LogGOPSim and ATLAHS"},
           {"\x7f\x10\0\0\0\0\0\0\2\0\0\0"sv, "a schedule in GOAL, the language of LogGOPSim and ATLAHS"},
           {"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 2 pp: 1\n1\n",
            "a layer table of SimAI or AICB"},
           {"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 mode: 1\n1\n",
            "a layer table of SimAI or AICB"},
           {"MICRO\n1\na -1 1 ALLTOALL_EP 8 1 NONE 0 1 NONE 0 1\n", "a layer table of SimAI or AICB"},
           {"<?xml version=\"1.0\"?>\n<!-- by NCCL --><graphs version=\"1\"/>",
            "what NCCL_GRAPH_DUMP_FILE writes: the channels that NCCL has found"},
           {"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"simgrid.dtd\">\n<platform version=\"4.1\">",
            "a platform of SimGrid"},
           {"#!/bin/bash\nGPT_ARGS=(\n  --num-layers 24 \\\n  --hidden-size=2048\n)\n",
            "a list of arguments of Megatron-LM"},
           {"--tensor-model-parallel-size 8 --micro-batch-size 1\n", "a list of arguments of Megatron-LM"},
           {"--num-layers 24 --num-layers 24\n", ""},
           {"# job\n[job]\ndump_folder = \"./outputs\"\n\n[model]\nname = \"llama3\"\nflavor = \"8B\"\n",
            "a job of torchtitan"},
           {"[training]\nseq_len = 8192\n\n[parallelism]\r\ntensor_parallel_degree = 8\n",
            "a job of torchtitan"},
           {"[training]\nflavor = 1\n[models]\nflavor = 2\n", ""},
           {"TP:\n  allreduce,: 300\n  allgather,: null\nDP:\n  allreduce,: null\n",
            "a table of bus bandwidths of SimAI's analytical mode"},
           {"# HPCC\nENABLE_QCN 1\nTOPOLOGY_FILE t.txt\n", "a configuration of ns-3"},
           {"{ sample of ns-3 }\n\nUSE_DYNAMIC_PFC_THRESHOLD 1 {why}\nTOPOLOGY_FILE t\n",
            "a configuration of ns-3"},
           {R"({"logical-dims": ["2", "2"]})", "a file of logical dimensions"},
           {"<algo name=\"x\">", "an algorithm of MSCCL"},
       })
    EXPECT_EQ(name_of(text), name) << text;
}

TEST(ForeignFiles, WhatOrreryReadsIsNone) {
  for (const std::string_view text : {"",
                                      "{}",
                                      "name: x\nnetwork: []\n",
                                      "DATA\n1\na -1 1 ALLTOALL 8 1 NONE 0 1 NONE 0 1\n",
                                      "MICRO\n1\nLAYER_EP -1 1 ALLTOALL 8 1 NONE 0 1 NONE 0 1\n",
                                      "<system version=\"1\"/>",
                                      "nodes:\n  - { name: a }\nlinks: []\n",
                                      "3 1 2\n2\n",
                                      "1\n0 1 3 100 10 0\n",
                                      R"({"topologies-per-dim": ["Ring"], "units-count": [4]})",
                                      R"({"model_type": "llama"})",
                                      "# devices: and\n# instances:\nnodes: []\n",
                                      "\n",
                                      "\nA\n",
                                      "\n#one line of text that is as long as told\n",
                                      "\x0a\x0a\x08"
                                      "0.0.4-xyz",
                                      "\x07\x0a\x05"
                                      "0.0.4",
                                      "scheduling-policy: LIFO\n",
                                      "Nodes 4\n",
                                      "source,destination,bytes\n"})
    EXPECT_EQ(name_of(text), "") << text;
}

TEST(ForeignFiles, AreRefusedWithAWayOut) {
  try {
    refuse_foreign("num_ranks 2\n", "p.goal");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "p.goal: error: this is a schedule in GOAL, the language of LogGOPSim and ATLAHS: Orrery runs "
              "execution traces of Chakra (`.et`), and no such schedule yet");
  }
  constexpr std::string_view config = "ENABLE_QCN 1\n";
  EXPECT_THROW(refuse_foreign(config, "config.txt"), InputError);
  EXPECT_THROW(refuse_foreign(config, "config.txt", ReadAs::algorithm), InputError);
  EXPECT_NO_THROW(refuse_foreign(config, "config.txt", ReadAs::ns3_config));
  EXPECT_NO_THROW(refuse_foreign(config, "config.txt", ReadAs::anything));
  EXPECT_THROW(refuse_foreign("num_ranks 2\n", "p.goal", ReadAs::anything), InputError);
}

std::string compressed(std::string_view text) {
  constexpr int gzip = 16 + MAX_WBITS, memory = 8;
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, memory, Z_DEFAULT_STRATEGY);
  std::string input(text), output(1 << 12, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  deflate(&stream, Z_FINISH);
  output.resize(output.size() - stream.avail_out);
  deflateEnd(&stream);
  return output;
}

TEST(ForeignFiles, AreToldWhereTheyAreCompressed) {
  const std::string trace = compressed(R"({"schema": "1.1.1-chakra.0.0.4", "nodes": []})");
  EXPECT_EQ(name_of(trace), "a PyTorch execution trace");
  EXPECT_EQ(name_of(trace.substr(0, trace.size() - 8)), "a PyTorch execution trace");
  EXPECT_EQ(name_of(trace.substr(0, 12)), "");
  EXPECT_EQ(name_of(compressed("\x07\x0a\x05"
                               "0.0.4")),
            "");
  EXPECT_EQ(name_of(compressed(compressed("num_ranks 2"))), "");
}

}  // namespace
}  // namespace orrery::core::foreign_files_test
