
/* What a call gave: 0 and a value; C's errno; or -1 where the server refused the call, or its function threw. */
namespace portlab {
template <typename T> struct answer {
  int32_t error;
  T value;
};
template <> struct answer<void> {
  int32_t error;
};

/* A call as it is put together: slots of 8 bytes, then what does not fit into one. */
struct request {
  uint8_t *bytes;
  uint64_t slot = 8, payload;
  request(void *memory, uint64_t slots_bytes, uint64_t total, uint32_t hash)
      : bytes(static_cast<uint8_t *>(memory)), payload(slots_bytes) {
    __builtin_memset(bytes, 0, total);
    __builtin_memcpy(bytes, &hash, 4);
  }
  /* A value, or a struct, from the next slot on. */
  template <typename T> void put(const T &value) {
    __builtin_memcpy(bytes + slot, &value, sizeof(T));
    slot += (sizeof(T) + 7) / 8 * 8;
  }
  template <typename T> void put_pointer(const T *value, bool is_nullable) {
    if (is_nullable) put<uint64_t>(value != nullptr);
    if (value) put(*value);
    else slot += (sizeof(T) + 7) / 8 * 8;
  }
  void put_length(const void *data, uint64_t length) { put<uint64_t>(data ? length : 0xffffffffu); }
  void put_payload(const void *data, uint64_t length) {
    if (data) __builtin_memcpy(bytes + payload, data, length);
    if (data) payload += round(length);
  }
  static uint64_t round(uint64_t length) { return (length + 7) / 8 * 8; }
};

/* What came back, from the first slot behind the error on. */
struct reply {
  const uint8_t *bytes;
  uint64_t at = 8;
  template <typename T> void take(T &value) {
    __builtin_memcpy(&value, bytes + at, sizeof(T));
    at += request::round(sizeof(T));
  }
  /* As much of it as the function wrote. */
  void take_back(void *target, uint64_t room) {
    if (!target) return;
    uint64_t length = 0;
    take(length);
    if (length > room) __builtin_trap();
    __builtin_memcpy(target, bytes + at, length);
    at += request::round(length);
  }
};

inline uint64_t length_of(const char *text) { return text ? __builtin_strlen(text) : 0; }

/* What a callback's name crosses as. */
inline uint64_t name_of(const char *text) {
  uint32_t hash = 0x811c9dc5u;
  for (; text && *text; text++) hash = (hash ^ static_cast<uint8_t>(*text)) * 0x01000193u;
  return hash;
}

/* One packet there and back. */
template <uint32_t opcode, typename C> int32_t call_packet(C &client, void *slots, uint64_t size) {
  int32_t error = -1;
  auto port = client.template open<opcode>();
  port.send([&](rpc::Buffer *buffer, uint32_t) { __builtin_memcpy(buffer->data, slots, size); });
  port.recv([&](rpc::Buffer *buffer, uint32_t) { __builtin_memcpy(slots, buffer->data, 16); });
  __builtin_memcpy(&error, slots, 4);
  return error < 0 ? -1 : error; /* one that was refused comes back as it was: with its hash */
}

/* A stream there and back. A server that has no such function gives nonsense: then this ends the program. */
template <uint32_t opcode, typename C>
int32_t call_stream(C &client, const request &sent, void *memory, uint64_t room) {
  int32_t error = -1;
  auto port = client.template open<opcode>();
  port.send_n(sent.bytes, sent.payload);
  void *given = memory;
  uint64_t size = 0;
  port.recv_n(&given, &size, [&](uint64_t length) {
    if (length < 8 || length > room) __builtin_trap();
    return memory;
  });
  __builtin_memcpy(&error, memory, 4);
  return error < 0 ? -1 : error;
}
} // namespace portlab
