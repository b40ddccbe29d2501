"""A client of a portlab server, by nothing but mmap: python3 client.py FILE PORTS TEXT...

Sends each text to the server's standard output, through memory in the layout of LLVM libc's shared/rpc.h:
deno task serve --memory FILE --ports PORTS. One thread, which has port 0 to itself; a processor whose
stores others see in order, such as x86-64.
"""
import mmap, sys, time

path, ports = sys.argv[1], int(sys.argv[2])
with open(path, "r+b") as file:
    memory = mmap.mmap(file.fileno(), 0)
words = memoryview(memory).cast("I")
PRIMARY = 16  # behind the doorbell, in words
SECONDARY = PRIMARY + ports
HEADER = (SECONDARY + ports + 1) // 2 * 2
BUFFER = HEADER + 4 * ports
WRITE_STDOUT_NEWLINE = ord("c") << 24 | 5


def wait():
    """Until the client owns the packet of port 0."""
    while words[PRIMARY] != words[SECONDARY]:
        time.sleep(0.0001)


def send(data):
    """A packet of 64 bytes to the server."""
    wait()
    memory[4 * BUFFER:4 * BUFFER + len(data)] = data
    words[SECONDARY] ^= 1


def send_stream(data):
    """A length, 56 bytes, and 64 bytes in each packet behind the first."""
    send(len(data).to_bytes(8, "little") + data[:56])
    for start in range(56, len(data), 64):
        send(data[start:start + 64])


for text in sys.argv[3:]:
    wait()
    words[HEADER], words[HEADER + 1], words[HEADER + 2] = 1, 0, WRITE_STDOUT_NEWLINE
    send_stream(text.encode())
    wait()
    print(words[BUFFER], "bytes were written")
