// Serves memory of LLVM's layout until it is killed: FILE FORM PORTS LANES. One thread, linear scan.
#include "llvm_memory.hpp"
#include <cstdio>

static void serve(Port &port, uint32_t opcode) {
  std::vector<uint64_t> counts(port.memory.lanes);
  uint64_t end = 0;
  auto take = [&](uint64_t *data, uint32_t lane) { counts[lane] = uint32_t(data[0]); };
  auto put = [&](uint64_t *data, uint32_t lane) { data[0] = ++counts[lane]; };
  switch (opcode) {
  case INCREMENT:
    port.recv(take);
    port.send([&](uint64_t *data, uint32_t lane) { data[0] = (data[0] & ~0xffffffffull) | uint32_t(++counts[lane]); });
    break;
  case STREAM:
    port.send_n(port.recv_n());
    break;
  case INTERFACE:
    port.recv([&](uint64_t *data, uint32_t) { end = data[0]; });
    port.recv(take);
    port.send(put);
    port.recv(take);
    port.send(put);
    port.recv(take);
    port.recv(take);
    port.send(put);
    port.send(put);
    if (end) port.recv(take);
    else port.send(put);
    break;
  case NOOP:
  case 'c' << 24:
    port.recv([](uint64_t *, uint32_t) {});
    break;
  }
}

int main(int argc, char **argv) {
  if (argc != 5) return 9;
  Memory memory(argv[1], std::string(argv[2]) == "llvm", atoi(argv[3]), atoi(argv[4]));
  puts("ready");
  fflush(stdout);
  for (unsigned idle = 0;; idle++) {
    for (uint32_t index = 0; index < memory.ports; index++) {
      Port port{memory, true, index, 0};
      if (!port.owns()) continue;
      port.mask = memory.headers[index].mask;
      serve(port, memory.headers[index].opcode);
      port.close();
      idle = 0;
    }
    pauseBriefly(idle);
  }
}
