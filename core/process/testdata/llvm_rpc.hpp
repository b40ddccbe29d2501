// What of LLVM libc's shared/rpc.h a client on a host uses, with its names, over llvm_memory.hpp: for tests.
#pragma once
#include "llvm_memory.hpp"

namespace rpc {
using Buffer = ::Buffer;

struct Client {
  Memory &memory;

  struct Session {
    ::Port port;
    ~Session() { port.close(); }
    template <typename Fill> void send(Fill fill) {
      port.send([&](uint64_t *data, uint32_t lane) { fill(reinterpret_cast<Buffer *>(data), lane); });
    }
    template <typename Use> void recv(Use use) {
      port.recv([&](uint64_t *data, uint32_t lane) { use(reinterpret_cast<Buffer *>(data), lane); });
    }
    void send_n(const void *source, uint64_t size) {
      port.send_n({std::string(static_cast<const char *>(source), size)});
    }
    template <typename Alloc> void recv_n(void **target, uint64_t *size, Alloc alloc) {
      std::string text = port.recv_n()[0];
      *size = text.size();
      *target = alloc(*size);
      memcpy(*target, text.data(), text.size());
    }
  };

  template <uint32_t opcode> Session open() {
    Session session{Port{memory, false, 0, 1}};
    session.port.await();
    memory.headers[0].mask = 1;
    memory.headers[0].opcode = opcode;
    return session;
  }
};
} // namespace rpc
