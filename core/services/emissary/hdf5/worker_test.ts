/** HDF5 in a worker of its own: calls that block, lanes, arrays of any length, and other readers. */
import { assert, assertEquals } from "@std/assert";
import { connectApi } from "../../../signature/mod.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { startServer } from "../../../worker/start_server.ts";
import { H5, hdf5Api, hsizes } from "./hdf5_api.ts";
import {
  bytesOf,
  dumped,
  hasLibrary,
  type Hdf5,
  NEEDS_LIBRARY,
  TestFolder,
  valuesIn,
} from "./testdata/hdf5_case.ts";

async function withWorker(work: (h5: Hdf5) => void): Promise<void> {
  const channel = Channel.create({ portCount: 4, laneCount: 32 });
  const url = new URL("./testdata/hdf5_service.ts", import.meta.url);
  await using _server = await startServer(channel, { services: [url] });
  work(connectApi(new Client(channel), hdf5Api));
}

const COUNT = 200 * 300;

/** Writes a file with a dataset of rows that lanes write, a compressed one, and attributes. */
function write(h5: Hdf5, path: string, values: Float64Array<ArrayBuffer>): void {
  const file = h5.H5Fcreate(path, H5.H5F_ACC_TRUNC, null, null);
  const double = h5.H5T_NATIVE_DOUBLE();
  const space = h5.H5Screate_simple(2, hsizes(200, 300), null);
  const list = h5.H5Pcreate(h5.H5P_DATASET_CREATE());
  h5.H5Pset_chunk(list, 2, hsizes(50, 300));
  h5.H5Pset_deflate(list, 6);
  const dataset = h5.H5Dcreate2(file, "packed", double, space, null, list, null);
  h5.H5Dwrite(dataset, double, null, null, null, bytesOf(values));
  const attribute = h5.H5Acreate2(
    dataset,
    "scale",
    double,
    h5.H5Screate(H5.H5S_SCALAR),
    null,
    null,
  );
  h5.H5Awrite(attribute, double, bytesOf(Float64Array.of(0.1)));
  h5.H5Aclose(attribute);
  h5.H5Dclose(dataset);
  writeRows(h5, file);
  h5.H5Fclose(file);
}

function writeRows(h5: Hdf5, file: ReturnType<Hdf5["H5Fcreate"]>): void {
  const int = h5.H5T_NATIVE_INT32();
  const space = h5.H5Screate_simple(2, hsizes(3, 2), null);
  const rows = h5.H5Dcreate2(file, "rows", int, space, null, null, null);
  const memory = h5.H5Screate_simple(1, hsizes(2), null);
  const ones = [0, 1, 2].map((index) => {
    const own = h5.H5Scopy(space);
    const { H5S_SELECT_SET } = H5;
    h5.H5Sselect_hyperslab(own, H5S_SELECT_SET, hsizes(index, 0), null, hsizes(1, 2), null);
    return own;
  });
  assertEquals(h5.H5Sget_select_npoints.lanes(ones.map((one) => [one])), [2n, 2n, 2n]);
  const written = h5.H5Dwrite.lanes(ones.map((own, index) => {
    const values = Int32Array.of(index, -index);
    return index === 1 ? undefined : [rows, int, memory, own, null, bytesOf(values)];
  }));
  assertEquals(written, [0, undefined, 0]);
  h5.H5Dclose(rows);
}

function check(h5: Hdf5, path: string, values: Float64Array<ArrayBuffer>): void {
  const file = h5.H5Fopen(path, H5.H5F_ACC_RDONLY, null);
  const double = h5.H5T_NATIVE_DOUBLE();
  const dataset = h5.H5Dopen2(file, "packed", null);
  const read = new Float64Array(values.length);
  h5.H5Dread(dataset, double, null, null, null, bytesOf(read));
  assertEquals(read, values);
  const attribute = h5.H5Aopen(dataset, "scale", null);
  const scale = new Float64Array(1);
  h5.H5Aread(attribute, double, bytesOf(scale));
  assertEquals(scale[0], 0.1);
  h5.H5Aclose(attribute);
  h5.H5Dclose(dataset);
  const rows = h5.H5Dopen2(file, "rows", null);
  const numbers = new Int32Array(6);
  h5.H5Dread(rows, h5.H5T_NATIVE_INT32(), null, null, null, bytesOf(numbers));
  assertEquals([...numbers], [0, 0, 0, 0, 2, -2]);
  h5.H5Dclose(rows);
  h5.H5Fclose(file);
}

Deno.test({
  name: `HDF5 in a worker writes what others and h5dump read${NEEDS_LIBRARY}`,
  ignore: !hasLibrary,
  async fn() {
    using folder = new TestFolder();
    const path = folder.file("a.h5");
    const values = Float64Array.from({ length: COUNT }, (_, index) => (index % 300) / 8);
    await withWorker((h5) => write(h5, path, values));
    assert(Deno.statSync(path).size < COUNT, "deflate makes less than a byte of a double here");
    await withWorker((h5) => check(h5, path, values));
    const rows = await dumped(path, "-d", "/rows");
    if (rows === undefined) return;
    assertEquals(valuesIn(rows), [0, 0, 0, 0, 2, -2]);
    const packed = await dumped(path, "-d", "/packed", "-s", "0,0", "-c", "2,300");
    assertEquals(valuesIn(packed!), [...values.subarray(0, 600)]);
    const header = (await dumped(path, "-p", "-A"))!;
    assert(
      /COMPRESSION DEFLATE \{ LEVEL 6 \}/.test(header) && /CHUNKED \( 50, 300 \)/.test(header),
    );
    assert(
      /ATTRIBUTE "scale" \{[^}]*H5T_IEEE_F64LE[^}]*\}?[^}]*0\.1000000000000000/.test(header),
      header,
    );
  },
});
