#include "network/host/host_stack_file.hpp"

#include "base/files/embedded_file.hpp"
#include "base/input/yaml_base.hpp"

namespace orrery::core {
namespace {

constexpr std::string_view a_stack = "a host stack";
constexpr std::int64_t max_cores = 4096, max_npus_of_host = 1 << 20;

constexpr Key<HostStack> stack_keys[] = {
    key::label<&HostStack::name>("name", "required", "name for people to read"),
    key::texts<&HostStack::sources>("sources", "none", "sources from which the numbers are taken")
        .of("map of texts"),
    key::text<&HostStack::state>("state", "not known", "component that keeps the state of connections"),
    key::time<&HostStack::send>("send", "0", "time of each message on the host that sends it").software(),
    key::time<&HostStack::receive>("receive", "0", "time of each message on the host where it arrives")
        .software(),
    key::time<&HostStack::proxy>(
        "proxy", "0",
        "time that a thread of the host, of which each NPU has one, spends on each "
        "message to hand it from the NPU to the card; 0: the NPU tells the card itself "
        "(GPUDirect Async)")
        .software(),
    key::integer<&HostStack::cores>(
        "cores", 0, max_cores, "0",
        "number of cores of the host that carry the messages of one NPU: `send`, `receive`, packets and "
        "copies keep them busy; 0: hardware carries the messages")
        .better(Better::more)
        .hardware(),
    key::size<&HostStack::packet>("packet", "4 KiB", "size of the largest packet, above 0")
        .better(Better::either)
        .software(),
    key::time<&HostStack::per_packet>("per-packet", "0", "time that a core spends on each packet").software(),
    key::bandwidth<&HostStack::copying>(
        "copy-bandwidth", "none", "bandwidth of a core that copies every message; none: it copies nothing")
        .hardware(),
    key::bandwidth<&HostStack::card>(
        "card-bandwidth", "that of its links",
        "bandwidth at which the network card reads memory, and at which it writes memory")
        .hardware(),
    key::bandwidth<&HostStack::staging>("staging-bandwidth", "none",
                                        "bandwidth of copies between NPU memory and host memory, each way; "
                                        "none: the card reaches NPU memory itself")
        .hardware(),
    key::time<&HostStack::staging_latency>("staging-latency", "0",
                                           "latency of a message's copy between NPU memory and host memory")
        .software(),
    key::integer<&HostStack::npus_per_host>("npus-per-host", 1, max_npus_of_host, "1",
                                            "number of NPUs of a host, which have consecutive numbers; "
                                            "messages between them do not pass the stack"),
};

constexpr KeyFacts stack_base{"base",         "required", "the stack that the other keys change",
                              KeyType::other, 0,          0,
                              nullptr,        nullptr,    "name of a stack or file",
                              "kernel-tcp"};

void refuse_without(const InputNode& map, std::string_view key, bool is_used, std::string_view why) {
  if (const InputNode* value = map.find(key); value && !is_used)
    throw InputError(value->where, backquoted(key) + " " + std::string(why) + " or leave it out");
}

HostStack read_stack(const InputNode& map) {
  HostStack stack;
  read_map(map, a_stack, stack_keys, stack);
  if (stack.packet == Bytes())
    throw InputError(map.find("packet")->where, "packets have to have bytes, such as 4 KiB");
  constexpr std::string_view no_cores = "is of a core, and no core carries messages; give `cores`";
  refuse_without(map, "per-packet", stack.cores > 0, no_cores);
  refuse_without(map, "copy-bandwidth", stack.cores > 0, no_cores);
  refuse_without(map, "staging-latency", stack.staging.bytes_per_ns() > 0,
                 "is of copies to host memory, and there are none; give `staging-bandwidth`");
  return stack;
}

InputNode find_map(const std::string& word_or_path, const SourceLocation& where, const FileLoader& load) {
  constexpr Catalogue stacks{"host-stacks", "host stack",
                             " (`orrery list host-stacks` shows all); a file of one ends in .yaml"};
  const FoundFile file = find_file(stacks, word_or_path, where, load);
  return parse_yaml(file.text, file.name);
}

}  // namespace

InputNode host_stack_map(const InputNode& node, const FileLoader& load) {
  if (node.may_be(InputNode::Kind::text)) return find_map(scalar_of(node, "host-stack"), node.where, load);
  require_map(node, a_stack);
  const InputNode& base = required(node, a_stack, stack_base.name);
  const InputNode below = find_map(scalar_of(base, stack_base.name), base.where, load);
  return over_base(node, below, OverWord::replaces_it);
}

HostStack read_host_stack(const InputNode& node, const FileLoader& load) {
  return read_stack(host_stack_map(node, load));
}

HostStack find_host_stack(const std::string& word_or_path, const SourceLocation& where,
                          const FileLoader& load) {
  return read_stack(find_map(word_or_path, where, load));
}

HostStack read_host_stack_file(std::string_view text, const std::string& file) {
  return read_stack(parse_yaml(text, file));
}

std::vector<std::string_view> host_stack_names() {
  return embedded_names("host-stacks");
}

std::vector<KeyPath> host_stack_file_keys() {
  return key_paths("", stack_keys);
}
std::vector<KeyPath> host_stack_keys() {
  return with_base(keys_of_map<stack_keys>(), stack_base);
}

}  // namespace orrery::core
