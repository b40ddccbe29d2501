/**
 * Messages of the Jupyter protocol, version 5.3, and their signatures.
 * Source: https://jupyter-client.readthedocs.io/en/stable/messaging.html
 *
 * @module
 */
import { type Bytes, concatBytes } from "./zmtp.ts";

const DELIMITER = "<IDS|MSG>";
const PROTOCOL_VERSION = "5.3";

/** What a message says, without its envelope. */
export interface JupyterMessage {
  /** The protocol's name for it, such as `execute_request`. */
  readonly type: string;
  readonly id: string;
  /** The request that caused it. */
  readonly parentId: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Signs what goes out and checks what comes in, for one kernel. */
export class MessageCodec {
  readonly #key: CryptoKey;
  readonly #session = crypto.randomUUID();

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /** `secret` is the `key` of the connection file. */
  static async create(secret: string): Promise<MessageCodec> {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const bytes = new TextEncoder().encode(secret);
    return new MessageCodec(
      await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]),
    );
  }

  /** The parts of a new request, and the id under which the answers will name it. */
  async encode(
    type: string,
    content: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly id: string; readonly parts: Bytes[] }> {
    const id = crypto.randomUUID();
    const header = {
      msg_id: id,
      msg_type: type,
      session: this.#session,
      username: "",
      date: new Date().toISOString(),
      version: PROTOCOL_VERSION,
    };
    const signed = [header, {}, {}, content].map((part) => textBytes(JSON.stringify(part)));
    const signature = await crypto.subtle.sign("HMAC", this.#key, concatBytes(signed));
    const hex = new Uint8Array(signature).toHex();
    return { id, parts: [textBytes(DELIMITER), textBytes(hex), ...signed] };
  }

  /** Reads a message. Throws where it is not one, or is not signed with this kernel's key. */
  async decode(parts: readonly Bytes[]): Promise<JupyterMessage> {
    const texts = parts.map((part) => new TextDecoder().decode(part));
    const start = texts.indexOf(DELIMITER);
    if (start < 0 || texts.length < start + 6) {
      throw new SyntaxError(
        `Cannot read a message as its delimiter or a part is missing: it has ${parts.length} parts`,
      );
    }
    const signed = parts.slice(start + 2, start + 6);
    if (!await this.#isSigned(texts[start + 1]!, signed)) {
      throw new SyntaxError("Cannot trust a message as its signature does not match its parts");
    }
    const [header, parent, , content] = texts.slice(start + 2, start + 6).map((text) =>
      JSON.parse(text)
    );
    return { type: header.msg_type, id: header.msg_id, parentId: parent.msg_id, content };
  }

  #isSigned(signatureHex: string, signed: readonly Bytes[]): Promise<boolean> {
    if (!/^[0-9a-f]{64}$/.test(signatureHex)) return Promise.resolve(false);
    const signature = Uint8Array.fromHex(signatureHex);
    return crypto.subtle.verify("HMAC", this.#key, signature, concatBytes(signed));
  }
}

function textBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}
