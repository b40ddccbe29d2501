/** Something of HDF5's, by its number there: what stands behind a handle. */
export class Hid {
  /** What it is: `Dataset`. */
  readonly name: string;
  /** The `hid_t`. */
  readonly id: bigint;

  constructor(name: string, id: bigint) {
    this.name = name;
    this.id = id;
  }
}
