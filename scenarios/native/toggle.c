/*
 * One call of the toggle protocol in C, as LLVM libc has it: a word a mailbox, lock bits, a header
 * that is written for each call, and on both sides a scan of the ports from the first one on. The
 * work is that of `increment.ts`: one word of each lane comes back one larger.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The opcodes are those of `increment.ts` and `process_work.ts`. */
enum { LINE_BYTES = 64, LANE_WORDS = 16, INCREMENT = 0x8000, REST = 0x8001 };

typedef _Atomic uint32_t word_t;

typedef struct {
  uint64_t mask;
  uint32_t opcode;
  uint32_t padding;
} header_t;

typedef struct {
  uint32_t port_count, lane_count;
  uint32_t mailbox_stride, header_stride, packet_stride; /* from one port to the next, in words */
  word_t *client_outbox; /* client writes, server reads */
  word_t *server_outbox; /* server writes, client reads */
  word_t *client_lock;   /* a bit a port */
  word_t *server_lock;
  uint32_t *headers;
  uint32_t *packets;
  uint32_t *blocks; /* all of these of each port side by side, where they are so */
  word_t *rest; /* on a line of its own: 1 tells the server to return */
  void *file;   /* what was mapped of a file, which has all but the locks */
  size_t file_bytes;
  uint32_t value;
} channel_t;

/* Zeroed, on lines of its own. */
static void *take(size_t bytes) {
  size_t whole = (bytes + 2 * LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  void *memory = aligned_alloc(LINE_BYTES, whole + LINE_BYTES);
  if (memory) memset(memory, 0, whole + LINE_BYTES);
  return memory;
}

void channel_free(channel_t *channel) {
  if (!channel) return;
  free((void *)channel->client_lock);
  free((void *)channel->server_lock);
  if (channel->file) {
    munmap(channel->file, channel->file_bytes);
  } else {
    if (!channel->blocks) {
      free((void *)channel->client_outbox);
      free((void *)channel->server_outbox);
      free(channel->headers);
      free(channel->packets);
    }
    free(channel->blocks);
    free((void *)channel->rest);
  }
  free(channel);
}

/* With what is each side's own. Null when there is no memory. */
static channel_t *channel_new(uint32_t port_count, uint32_t lane_count) {
  channel_t *channel = calloc(1, sizeof(channel_t));
  if (!channel) return NULL;
  size_t lock_bytes = (port_count + 31) / 32 * sizeof(word_t);
  channel->port_count = port_count;
  channel->lane_count = lane_count;
  channel->mailbox_stride = 1;
  channel->header_stride = sizeof(header_t) / 4;
  channel->packet_stride = lane_count * LANE_WORDS;
  channel->client_lock = take(lock_bytes);
  channel->server_lock = take(lock_bytes);
  return channel;
}

/* Both outboxes, header and packet of each port in one block of lines, as this project's `beside`. */
static void take_blocks(channel_t *channel) {
  uint32_t head = 2 + channel->header_stride, line = LINE_BYTES / 4;
  uint32_t stride = (head + channel->packet_stride + line - 1) / line * line;
  uint32_t *block = channel->blocks = take((size_t)channel->port_count * stride * 4);
  channel->mailbox_stride = channel->header_stride = channel->packet_stride = stride;
  if (!block) return;
  channel->client_outbox = (word_t *)block;
  channel->server_outbox = (word_t *)(block + 1);
  channel->headers = block + 2;
  channel->packets = block + head;
}

static void take_regions(channel_t *channel) {
  channel->client_outbox = take(channel->port_count * sizeof(word_t));
  channel->server_outbox = take(channel->port_count * sizeof(word_t));
  channel->headers = take(channel->port_count * sizeof(header_t));
  channel->packets = take((size_t)channel->port_count * channel->packet_stride * 4);
}

/* Null when there is no memory. */
channel_t *channel_create(uint32_t port_count, uint32_t lane_count, uint32_t is_beside) {
  channel_t *channel = channel_new(port_count, lane_count);
  if (!channel) return NULL;
  if (is_beside) take_blocks(channel); else take_regions(channel);
  channel->rest = take(LINE_BYTES);
  if (channel->client_outbox && channel->server_outbox && channel->client_lock &&
      channel->server_lock && channel->headers && channel->packets && channel->rest)
    return channel;
  channel_free(channel);
  return NULL;
}

/* In a file that another process has, too, as LLVM's library laid it out in 2025; the last line of the file tells
 * the server to rest. Null when it cannot be mapped. */
channel_t *channel_open(const char *path, uint32_t port_count, uint32_t lane_count) {
  channel_t *channel = channel_new(port_count, lane_count);
  if (!channel) return NULL;
  struct stat found;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file >= 0 && fstat(file, &found) == 0) {
    channel->file_bytes = (size_t)found.st_size;
    void *mapped = mmap(NULL, channel->file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) channel->file = mapped;
  }
  if (file >= 0) close(file);
  if (!channel->file || !channel->client_lock || !channel->server_lock) {
    channel_free(channel);
    return NULL;
  }
  char *bytes = channel->file;
  size_t mailbox_bytes = port_count * sizeof(word_t);
  channel->server_outbox = (word_t *)bytes;
  channel->client_outbox = (word_t *)(bytes + mailbox_bytes);
  channel->headers = (uint32_t *)(bytes + 2 * mailbox_bytes);
  channel->packets = channel->headers + port_count * channel->header_stride;
  channel->rest = (word_t *)(bytes + channel->file_bytes - LINE_BYTES);
  return channel;
}

static int try_lock(word_t *locks, uint32_t index) {
  uint32_t bit = 1u << (index % 32);
  uint32_t before = atomic_fetch_or_explicit(&locks[index / 32], bit, memory_order_relaxed);
  if (before & bit) return 0;
  atomic_thread_fence(memory_order_acquire);
  return 1;
}

static void unlock(word_t *locks, uint32_t index) {
  atomic_thread_fence(memory_order_release);
  atomic_fetch_and_explicit(&locks[index / 32], ~(1u << (index % 32)), memory_order_relaxed);
}

static word_t *box_of(channel_t *channel, word_t *outboxes, uint32_t index) {
  return outboxes + (size_t)index * channel->mailbox_stride;
}

static uint32_t load(word_t *outbox) {
  return atomic_load_explicit(outbox, memory_order_relaxed);
}

static void publish(word_t *outbox, uint32_t value) {
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(outbox, value, memory_order_relaxed);
}

static header_t *header_of(channel_t *channel, uint32_t index) {
  return (header_t *)(channel->headers + (size_t)index * channel->header_stride);
}

static uint32_t *packet_of(channel_t *channel, uint32_t index) {
  return channel->packets + (size_t)index * channel->packet_stride;
}

static int is_even(channel_t *channel, uint32_t index) {
  return load(box_of(channel, channel->server_outbox, index)) ==
         load(box_of(channel, channel->client_outbox, index));
}

/* Returns the port, whose lock is held and whose buffer is the client's. */
static uint32_t client_open(channel_t *channel) {
  for (uint32_t index = 0;; index = index + 1 == channel->port_count ? 0 : index + 1) {
    if (!try_lock(channel->client_lock, index)) continue;
    if (is_even(channel, index)) return index;
    unlock(channel->client_lock, index);
  }
}

/* One call; returns bits that are 0 when every lane came back one larger. */
static uint32_t client_call(channel_t *channel, uint32_t opcode, uint32_t value) {
  uint32_t word_count = channel->lane_count * LANE_WORDS, wrong = 0;
  uint32_t index = client_open(channel);
  header_t *header = header_of(channel, index);
  header->mask = ~0ull >> (64 - channel->lane_count);
  header->opcode = opcode;
  uint32_t *packet = packet_of(channel, index);
  for (uint32_t word = 0; word < word_count; word += LANE_WORDS) packet[word] = value;
  word_t *outbox = box_of(channel, channel->client_outbox, index);
  word_t *inbox = box_of(channel, channel->server_outbox, index);
  uint32_t out = !load(outbox);
  publish(outbox, out);
  while (load(inbox) != out) {}
  atomic_thread_fence(memory_order_acquire);
  for (uint32_t word = 0; word < word_count; word += LANE_WORDS) wrong |= packet[word] ^ (value + 1);
  unlock(channel->client_lock, index);
  return wrong;
}

/* Makes checked calls; returns bits that are 0 when all were right. */
uint32_t client_run(channel_t *channel, uint32_t call_count) {
  uint32_t wrong = 0;
  for (uint32_t call = 0; call < call_count; call++)
    wrong |= client_call(channel, INCREMENT, channel->value++);
  return wrong;
}

/* Tells a server of this project, whose channel is its own, to rest. */
void client_rest(channel_t *channel) { client_call(channel, REST, 0); }

static void serve(channel_t *channel, uint32_t index) {
  atomic_thread_fence(memory_order_acquire);
  uint32_t *packet = packet_of(channel, index);
  uint32_t word_count = channel->lane_count * LANE_WORDS;
  if (header_of(channel, index)->opcode == INCREMENT)
    for (uint32_t word = 0; word < word_count; word += LANE_WORDS) packet[word] += 1;
  word_t *outbox = box_of(channel, channel->server_outbox, index);
  publish(outbox, !load(outbox));
}

static void serve_once(channel_t *channel) {
  for (uint32_t index = 0; index < channel->port_count; index++) {
    if (is_even(channel, index) || !try_lock(channel->server_lock, index)) continue;
    if (!is_even(channel, index)) serve(channel, index);
    unlock(channel->server_lock, index);
  }
}

/* Serves until it is told to rest. */
void server_run(channel_t *channel) {
  while (!atomic_load_explicit(channel->rest, memory_order_relaxed)) serve_once(channel);
}

/* 1 tells the server to rest; 0 before it begins. */
void server_rest(channel_t *channel, uint32_t rest) {
  atomic_store_explicit(channel->rest, rest, memory_order_release);
}
