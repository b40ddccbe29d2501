/** How a kernel and its client find and trust each other. */
export interface Connection {
  readonly shellPort: number;
  readonly iopubPort: number;
  readonly controlPort: number;
  readonly secret: string;
  /** Path of the file that tells the kernel all this. */
  readonly path: string;
}

const PORT_COUNT = 5;
// Below the range from which systems take ports for outgoing connections: a connection that is tried
// before the kernel listens could otherwise get the same port for its own end, and meet itself.
const PORT_FIRST = 20_000;
const PORT_LAST = 31_000;

/** Picks ports that are free at this moment, and writes the connection file. */
export async function writeConnectionFile(): Promise<Connection> {
  const [shellPort, iopubPort, stdinPort, controlPort, heartbeatPort] = freePorts();
  const secret = crypto.randomUUID();
  const path = await Deno.makeTempFile({ prefix: "kernel_", suffix: ".json" });
  const fields = {
    transport: "tcp",
    ip: "127.0.0.1",
    shell_port: shellPort,
    iopub_port: iopubPort,
    stdin_port: stdinPort,
    control_port: controlPort,
    hb_port: heartbeatPort,
    key: secret,
    signature_scheme: "hmac-sha256",
    kernel_name: "deno",
  };
  await Deno.writeTextFile(path, JSON.stringify(fields));
  return { shellPort: shellPort!, iopubPort: iopubPort!, controlPort: controlPort!, secret, path };
}

/**
 * Free ports from `first` on, looked for among `tried` in a row. By default the place is random, so
 * that two kernels that start at once seldom want the same.
 */
export function freePorts(first: number = randomPort(), tried = 1000): number[] {
  const ports: number[] = [];
  for (let port = first; ports.length < PORT_COUNT && port < first + tried; port++) {
    if (isFree(port)) ports.push(port);
  }
  if (ports.length < PORT_COUNT) {
    throw new Error(
      `Cannot start a kernel as it needs ${PORT_COUNT} free ports: ` +
        `${ports.length} of those from ${first} to ${first + tried - 1} are free`,
    );
  }
  return ports;
}

function randomPort(): number {
  return PORT_FIRST + Math.floor(Math.random() * (PORT_LAST - PORT_FIRST));
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
