/** A worker that calls MPI through its program's channel: does one job, and tells when it is done. */
import { Channel, type ChannelHandle, Client } from "../../../../mod.ts";
import { connectApi } from "../../../../signature/mod.ts";
import { askOwnWorker, servesAsWorker } from "../../testdata/own_worker.ts";
import { mpiApi } from "../mpi_api.ts";

/** What a caller is to do with its message, which goes to or comes from the other process. */
export interface Job {
  readonly handle: ChannelHandle;
  readonly call: "Send" | "Recv";
  readonly tag: number;
  readonly length: number;
  readonly other: number;
}

/** What stands in a message of a tag. */
export function messageOf(tag: number, length: number): Uint8Array {
  return new Uint8Array(length).map((_, index) => tag * 50 + index % 41);
}

/** Starts a worker for a job; settles when it is done. */
export function inWorker(job: Job): Promise<void> {
  return askOwnWorker(import.meta.url, job);
}

function work({ handle, call, tag, length, other }: Job): void {
  const mpi = connectApi(new Client(Channel.attach(handle)), mpiApi, { timeoutSeconds: 20 });
  const [comm, byte] = [mpi.Comm("MPI_COMM_WORLD"), mpi.Datatype("MPI_BYTE")];
  const due = messageOf(tag, length);
  if (call === "Send") return void mpi.Send(due, length, byte, other, tag, comm);
  const bytes = new Uint8Array(length);
  mpi.Recv(bytes, length, byte, other, tag, comm, null);
  if (bytes.some((value, index) => value !== due[index])) throw new Error("another message");
}

servesAsWorker(work);

/** As {@linkcode doubles}, of 4 bytes each. */
export function ints(...values: number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(values).buffer);
}

/** Numbers as the bytes of an array. */
export function doubles(...values: number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}

/** The same back. */
export function numbers(bytes: Uint8Array): number[] {
  return [...new Float64Array(bytes.slice().buffer)];
}
