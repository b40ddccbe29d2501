// Calls through memory of LLVM's layout: FILE FORM PORTS LANES CALLS THREADS SEED. Ends with the number of
// wrong answers, 8 at most.
#include "llvm_memory.hpp"
#include <atomic>
#include <cstdio>
#include <random>
#include <thread>

static std::atomic<long> wrong{0};

static void one(Port port, uint32_t opcode, std::mt19937_64 &random) {
  Memory &memory = port.memory;
  Header &header = memory.headers[port.index];
  header.mask = port.mask;
  header.opcode = opcode;
  uint64_t base = random();
  auto expect = [&](bool isRight) { wrong += !isRight; };
  if (opcode == INCREMENT || opcode == UNKNOWN) {
    port.send([&](uint64_t *data, uint32_t lane) {
      for (int word = 0; word < 8; word++) data[word] = base + lane + word;
    });
    port.recv([&](uint64_t *data, uint32_t lane) {
      expect(uint32_t(data[0]) == uint32_t(base + lane + (opcode == INCREMENT)));
      for (int word = 1; word < 8; word++) expect(data[word] == base + lane + word);
    });
  } else if (opcode == STREAM) {
    std::vector<std::string> texts(memory.lanes);
    for (auto &text : texts) {
      text.resize(random() % (random() % 8 ? 200 : 5000));
      for (auto &byte : text) byte = char(random());
    }
    port.send_n(texts);
    auto back = port.recv_n();
    port.each([&](uint64_t *, uint32_t lane) { expect(back[lane] == texts[lane]); });
  } else if (opcode == INTERFACE) {
    uint64_t end = random() & 1, count = 0;
    auto put = [&](uint64_t *data, uint32_t) { data[0] = count; };
    auto take = [&](uint64_t *data, uint32_t) { count = data[0]; };
    port.send([&](uint64_t *data, uint32_t) { data[0] = end; });
    port.send(put);
    port.recv(take);
    count++;
    port.send(put);
    port.recv(take);
    count++;
    port.send(put);
    count++;
    port.send(put);
    port.recv(take);
    port.recv(take);
    count++;
    if (end) port.send(put);
    else port.recv(take);
    expect(count == 8);
  } else {
    port.send([&](uint64_t *data, uint32_t) { data[0] = base; });
  }
  port.close();
}

int main(int argc, char **argv) {
  if (argc != 8) return 9;
  Memory memory(argv[1], std::string(argv[2]) == "llvm", atoi(argv[3]), atoi(argv[4]));
  long calls = atol(argv[5]);
  int threads = atoi(argv[6]);
  std::vector<std::atomic_flag> locks(memory.ports);
  std::vector<std::thread> all;
  for (int thread = 0; thread < threads; thread++)
    all.emplace_back([&, thread] {
      std::mt19937_64 random(atol(argv[7]) * 100 + thread);
      uint64_t full = memory.lanes == 64 ? ~0ull : (1ull << memory.lanes) - 1;
      const uint32_t opcodes[] = {INCREMENT, STREAM, INTERFACE, NOOP, UNKNOWN};
      for (long call = 0; call < calls; call++) {
        uint64_t mask = random() & full;
        if (!mask || call % 4 == 0) mask = full;
        for (uint32_t index = random() % memory.ports, round = 0;; index = (index + 1) % memory.ports, round++) {
          if (locks[index].test_and_set(std::memory_order_acquire)) { pauseBriefly(round); continue; }
          Port port{memory, false, index, mask};
          bool owned = port.owns();
          if (owned) one(port, opcodes[call % 5], random);
          locks[index].clear(std::memory_order_release);
          if (owned) break;
          pauseBriefly(round);
        }
      }
    });
  for (auto &thread : all) thread.join();
  if (wrong) fprintf(stderr, "%ld wrong\n", wrong.load());
  return wrong > 8 ? 8 : int(wrong);
}
