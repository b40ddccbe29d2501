
/* The steps of a call, for clients and servers of one process each, with any number of threads. Whatever
 * comes from the other side is checked where it is used as an index. */

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif
#include <unistd.h>
#if defined(__linux__) && !defined(__cplusplus)
extern long syscall(long number, ...); /* the strict dialects of C hide it */
#endif

typedef struct {
  uint32_t *file;    /* the first page: who shares the memory */
  uint32_t *channel; /* everything below counts from here */
  uint32_t id;       /* of this client or server */
} portlab_side;

static inline uint32_t *portlab_word(const portlab_side *side, uint32_t byte, uint32_t index) {
  return side->channel + byte / 4 + index;
}
static inline uint32_t *portlab_mailbox(const portlab_side *side, uint32_t byte, uint32_t port) {
  return portlab_word(side, byte, port * PORTLAB_MAILBOX_STRIDE);
}
static inline uint32_t portlab_load(uint32_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static inline void portlab_store(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

/* Maps the file and takes a number; returns 0, or -1 for a file that is not one of this header's. A thread that
 * is client and server needs two. */
static inline int portlab_open(portlab_side *side, const char *path) {
  struct stat found;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return -1;
  uint32_t *words = (uint32_t *)MAP_FAILED;
  if (fstat(file, &found) == 0 && (uint64_t)found.st_size == PORTLAB_FILE_BYTES)
    words = (uint32_t *)mmap(0, PORTLAB_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (words == (uint32_t *)MAP_FAILED) return -1;
  side->file = words;
  side->channel = words + PORTLAB_CHANNEL_BYTE / 4;
  const uint32_t head[] = PORTLAB_HEAD;
  for (uint32_t index = 0; index < sizeof head / sizeof *head; index++)
    if (portlab_load(words + index) != head[index]) return munmap(words, PORTLAB_FILE_BYTES), -1;
  uint32_t own = (uint32_t)getpid(), slot = PORTLAB_PARTICIPANTS_MAX;
  for (uint32_t at = 0; at < PORTLAB_PARTICIPANTS_MAX; at++) /* one that this process has already */
    if (portlab_load(words + PORTLAB_SLOTS_WORD + at * PORTLAB_SLOT_WORDS) == own) slot = at;
  for (uint32_t at = 0; at < PORTLAB_PARTICIPANTS_MAX && slot == PORTLAB_PARTICIPANTS_MAX; at++) {
    uint32_t nobody = 0;
    if (__atomic_compare_exchange_n(words + PORTLAB_SLOTS_WORD + at * PORTLAB_SLOT_WORDS, &nobody, own, 0,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      slot = at;
  }
  if (slot == PORTLAB_PARTICIPANTS_MAX) return munmap(words, PORTLAB_FILE_BYTES), -1;
  side->id = __atomic_fetch_add(portlab_word(side, PORTLAB_NEXT_OWNER_ID_BYTE, 0), 1, __ATOMIC_SEQ_CST);
  /* So that others give back what this process holds if it dies. */
  portlab_store(words + PORTLAB_OWNERS_WORD + side->id % PORTLAB_OWNERS_MAX,
                (slot + 1) << 24 | side->id / PORTLAB_OWNERS_MAX);
  return 0;
}

/* 1 while calls are served, 0 when the channel stops or has stopped. */
static inline int portlab_is_running(portlab_side *side) {
  return (portlab_load(portlab_word(side, PORTLAB_STATE_BYTE, 0)) & 3) == 0;
}

/* Words of a lane of a port's packet. The word of a lane is `portlab_lane(...)[word]`. */
static inline uint32_t *portlab_lane(portlab_side *side, uint32_t port, uint32_t lane) {
  return portlab_word(side, PORTLAB_PACKETS_BYTE, port * PORTLAB_PACKET_STRIDE + lane * (PORTLAB_LANE_BYTES / 4));
}
static inline uint32_t *portlab_header(portlab_side *side, uint32_t port) {
  return portlab_word(side, PORTLAB_HEADERS_BYTE, port * PORTLAB_HEADER_STRIDE);
}
static inline uint64_t portlab_mask(portlab_side *side, uint32_t port) {
  uint32_t *header = portlab_header(side, port);
  return ((uint64_t)header[1] << 32 | header[0]) & PORTLAB_ALL_LANES;
}

/* Wakes who sleeps on a word, which has changed; without a futex they look by themselves, 8 ms later at most. */
static inline void portlab_notify(uint32_t *word) {
#ifdef __linux__
  syscall(SYS_futex, word, FUTEX_WAKE, 0x7fffffff, (void *)0, (void *)0, 0);
#else
  (void)word;
#endif
}
static inline void portlab_ring(portlab_side *side, uint32_t byte) {
  uint32_t *word = portlab_word(side, byte, 0);
  __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
  portlab_notify(word);
}
static inline void portlab_wake(portlab_side *side, uint32_t parked_byte, uint32_t port) {
  uint32_t *word = portlab_word(side, parked_byte, port);
  if (!portlab_load(word)) return;
  uint32_t marks = __atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST);
  if (marks & 1) portlab_notify(word);
  if (marks & 2) portlab_ring(side, PORTLAB_FREE_BELL_BYTE);
}
static inline void portlab_flip(portlab_side *side, uint32_t turn_byte, uint32_t outbox_byte, uint32_t port) {
  uint32_t *turn = portlab_word(side, turn_byte, port);
  *turn ^= 1;
  portlab_store(portlab_mailbox(side, outbox_byte, port), *turn);
}
static inline void portlab_unlock(portlab_side *side, uint32_t lock_byte, uint32_t parked_byte, uint32_t port) {
  uint32_t held = __atomic_exchange_n(portlab_word(side, lock_byte, port), 0, __ATOMIC_SEQ_CST);
  if (held & 1u << 30)
    portlab_ring(side, lock_byte == PORTLAB_CLIENT_LOCK_BYTE ? PORTLAB_FREE_BELL_BYTE : PORTLAB_BELL_BYTE);
  if (held & 1u << 29) portlab_wake(side, parked_byte, port);
}

/* --- clients --- */

/* Whether the client has the packet. */
static inline int portlab_client_owns(portlab_side *side, uint32_t port) {
  return portlab_load(portlab_mailbox(side, PORTLAB_SERVER_OUTBOX_BYTE, port)) ==
         *portlab_word(side, PORTLAB_CLIENT_TURN_BYTE, port);
}
/* Takes a port that is free; -1 when none is. Fill its lanes, then send. */
static inline int32_t portlab_client_open(portlab_side *side, uint32_t opcode, uint64_t mask) {
  for (uint32_t port = 0; port < PORTLAB_PORT_COUNT; port++) {
    uint32_t nobody = 0;
    if (!__atomic_compare_exchange_n(portlab_word(side, PORTLAB_CLIENT_LOCK_BYTE, port), &nobody, side->id, 0,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      continue;
    if (portlab_client_owns(side, port)) {
      uint32_t *header = portlab_header(side, port);
      header[0] = (uint32_t)mask;
      header[1] = (uint32_t)(mask >> 32);
      header[2] = opcode;
      header[3] = 0;
      return (int32_t)port;
    }
    portlab_unlock(side, PORTLAB_CLIENT_LOCK_BYTE, PORTLAB_SERVER_PARKED_BYTE, port);
  }
  return -1;
}
/* Gives the packet to the server. Wait until the client owns it again. */
static inline void portlab_client_send(portlab_side *side, uint32_t port) {
  portlab_flip(side, PORTLAB_CLIENT_TURN_BYTE, PORTLAB_CLIENT_OUTBOX_BYTE, port);
  uint32_t group = port >> PORTLAB_HINT_SHIFT, bit = 1u << (group & 31);
  uint32_t *hint = portlab_word(side, PORTLAB_HINT_BYTE, group >> 5);
  if (!(portlab_load(hint) & bit)) __atomic_fetch_or(hint, bit, __ATOMIC_SEQ_CST);
  if (portlab_load(portlab_word(side, PORTLAB_SLEEPERS_BYTE, 0))) portlab_ring(side, PORTLAB_BELL_BYTE);
  portlab_wake(side, PORTLAB_SERVER_PARKED_BYTE, port);
}
/* 0 when the call went well, once the client owns the packet. */
static inline uint32_t portlab_client_status(portlab_side *side, uint32_t port) {
  return portlab_header(side, port)[3];
}
static inline void portlab_client_close(portlab_side *side, uint32_t port) {
  portlab_unlock(side, PORTLAB_CLIENT_LOCK_BYTE, PORTLAB_SERVER_PARKED_BYTE, port);
}

/* --- servers --- */

/* Takes a port with a call; -1 when there is none. */
static inline int32_t portlab_server_open(portlab_side *side) {
  for (uint32_t port = 0; port < PORTLAB_PORT_COUNT; port++) {
    uint32_t *inbox = portlab_mailbox(side, PORTLAB_CLIENT_OUTBOX_BYTE, port);
    uint32_t *turn = portlab_word(side, PORTLAB_SERVER_TURN_BYTE, port), nobody = 0;
    if ((portlab_load(inbox) ^ __atomic_load_n(turn, __ATOMIC_RELAXED)) != 1) continue;
    if (!__atomic_compare_exchange_n(portlab_word(side, PORTLAB_SERVER_LOCK_BYTE, port), &nobody, side->id, 0,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      continue;
    if ((portlab_load(inbox) ^ *turn) == 1) return (int32_t)port;
    portlab_unlock(side, PORTLAB_SERVER_LOCK_BYTE, PORTLAB_CLIENT_PARKED_BYTE, port);
  }
  return -1;
}
static inline uint32_t portlab_server_opcode(portlab_side *side, uint32_t port) {
  return portlab_header(side, port)[2] & 0x07ffffff;
}
/* Gives the packet back as the answer, with a status of 0, or 1 where nobody serves the opcode. */
static inline void portlab_server_close(portlab_side *side, uint32_t port, uint32_t status) {
  portlab_header(side, port)[3] = status;
  portlab_flip(side, PORTLAB_SERVER_TURN_BYTE, PORTLAB_SERVER_OUTBOX_BYTE, port);
  portlab_wake(side, PORTLAB_CLIENT_PARKED_BYTE, port);
  portlab_unlock(side, PORTLAB_SERVER_LOCK_BYTE, PORTLAB_CLIENT_PARKED_BYTE, port);
}
