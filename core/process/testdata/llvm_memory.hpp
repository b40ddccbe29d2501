// What two sides share by LLVM libc's shared/rpc.h, written from its layout: for tests. A wave is a thread
// here that goes through its lanes, and flips once for all of them.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

struct Header {
  uint64_t mask;
  uint32_t opcode;
};
struct Buffer {
  uint64_t data[8];
};

struct Memory {
  uint32_t ports, lanes;
  uint32_t *primary, *secondary;
  Header *headers;
  Buffer *buffers;

  Memory(const char *path, bool isNewest, uint32_t ports, uint32_t lanes) : ports(ports), lanes(lanes) {
    size_t at = isNewest ? 64 : 0;
    size_t header = (at + 8 * ports + 7) / 8 * 8, buffer = (header + 16 * ports + 7) / 8 * 8;
    size_t size = buffer + 64ull * ports * lanes;
    int file = open(path, O_RDWR | O_CREAT, 0600);
    struct stat found;
    if (file < 0 || fstat(file, &found) || (size_t(found.st_size) < size && ftruncate(file, size))) _exit(9);
    char *bytes = static_cast<char *>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    if (bytes == MAP_FAILED) _exit(9);
    primary = reinterpret_cast<uint32_t *>(bytes + at);
    secondary = primary + ports;
    headers = reinterpret_cast<Header *>(bytes + header);
    buffers = reinterpret_cast<Buffer *>(bytes + buffer);
  }
};

inline void pauseBriefly(unsigned round) {
  if (round % 4096 == 4095) usleep(50);
#if defined(__x86_64__)
  else __builtin_ia32_pause();
#endif
}

struct Port {
  Memory &memory;
  bool isServer;
  uint32_t index;
  uint64_t mask;
  bool hasReceived = false;
  /** What the port knows itself: behind a send the other side's next request may be here already. */
  bool hasBuffer = true;

  uint32_t *inbox() { return (isServer ? memory.secondary : memory.primary) + index; }
  uint32_t *outbox() { return (isServer ? memory.primary : memory.secondary) + index; }
  bool owns() {
    return (__atomic_load_n(inbox(), __ATOMIC_ACQUIRE) != __atomic_load_n(outbox(), __ATOMIC_RELAXED)) == isServer;
  }
  void flip() { __atomic_store_n(outbox(), !*outbox(), __ATOMIC_RELEASE); }
  void await() {
    for (unsigned round = 0; !owns(); round++) pauseBriefly(round);
  }
  template <typename Work> void each(Work work) {
    for (uint32_t lane = 0; lane < memory.lanes; lane++)
      if (mask >> lane & 1) work(memory.buffers[uint64_t(index) * memory.lanes + lane].data, lane);
  }
  template <typename Fill> void send(Fill fill) {
    await();
    each(fill);
    flip();
    hasReceived = hasBuffer = false;
  }
  template <typename Use> void recv(Use use) {
    if (hasReceived) flip();
    await();
    each(use);
    hasReceived = hasBuffer = true;
  }
  void send_n(const std::vector<std::string> &texts) {
    size_t longest = 0;
    send([&](uint64_t *data, uint32_t lane) {
      data[0] = texts[lane].size();
      longest = std::max(longest, texts[lane].size());
      memcpy(data + 1, texts[lane].data(), std::min<size_t>(56, texts[lane].size()));
    });
    for (size_t at = 56; at < longest; at += 64)
      send([&](uint64_t *data, uint32_t lane) {
        const std::string &text = texts[lane];
        if (at < text.size()) memcpy(data, text.data() + at, std::min<size_t>(64, text.size() - at));
      });
  }
  std::vector<std::string> recv_n() {
    std::vector<std::string> texts(memory.lanes);
    size_t longest = 0;
    recv([&](uint64_t *data, uint32_t lane) {
      texts[lane].resize(data[0]);
      longest = std::max<size_t>(longest, data[0]);
      memcpy(texts[lane].data(), data + 1, std::min<size_t>(56, data[0]));
    });
    for (size_t at = 56; at < longest; at += 64)
      recv([&](uint64_t *data, uint32_t lane) {
        std::string &text = texts[lane];
        if (at < text.size()) memcpy(text.data() + at, data, std::min<size_t>(64, text.size() - at));
      });
    return texts;
  }
  /** A server gives back what it has; a client never flips. */
  void close() {
    if (isServer && hasBuffer) flip();
  }
};

/** Increments, streams, and any order of sends and receives, by the numbers that the other side knows, too. */
enum : uint32_t { INCREMENT = 40000, STREAM = 40001, INTERFACE = 40002, NOOP = 40003, UNKNOWN = 51234 };
