/** A function whose `this` is the object that it is called on. */
// deno-lint-ignore no-explicit-any -- stands for every method of WebGPU
export type Method = (this: any, ...args: any[]) => any;

/** Methods of objects that are replaced, and can be put back. */
export class Hooks {
  readonly #undo: (() => void)[] = [];

  /**
   * Replaces a method of one object.
   *
   * @param make gets the method that was there
   */
  replace(target: object, name: string, make: (real: Method) => Method): void {
    const own = Object.getOwnPropertyDescriptor(target, name);
    const value = make(Reflect.get(target, name) as Method);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    this.#undo.push(() => {
      // Somebody else has replaced it since then: that one calls this one.
      if (Object.getOwnPropertyDescriptor(target, name)?.value !== value) return;
      if (own) Object.defineProperty(target, name, own);
      else Reflect.deleteProperty(target, name);
    });
  }

  /** Puts back every method. */
  undo(): void {
    while (this.#undo.length > 0) this.#undo.pop()!();
  }
}

const derived = new WeakMap<object, Map<object, object>>();

/**
 * Lets an object have other methods, by a prototype before its own: it costs one step an object, however
 * many methods there are.
 *
 * @param methods gets the real prototype, and makes the methods of all objects that have it
 * @param key of the methods, so that they are made once
 */
export function overlay<T extends object>(
  target: T,
  key: object,
  methods: (real: Readonly<Record<string, Method>>) => Readonly<Record<string, Method>>,
): T {
  const real = Object.getPrototypeOf(target) as Record<string, Method>;
  const known = derived.get(key) ?? new Map<object, object>();
  derived.set(key, known);
  let prototype = known.get(real);
  if (!prototype) {
    prototype = Object.create(real) as object;
    for (const [name, value] of Object.entries(methods(real))) {
      if (!(name in real)) continue;
      Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
    }
    known.set(real, prototype);
  }
  return Object.setPrototypeOf(target, prototype);
}

/** A descriptor with some members replaced; the author's may be an object of any class. */
export function changed<T extends object>(descriptor: T, members: Partial<T>): T {
  const properties = Object.entries(members).map(([name, value]) =>
    [name, { value, enumerable: true }] as const
  );
  return Object.create(descriptor, Object.fromEntries(properties)) as T;
}

/** The methods of a device before they are followed. */
export type RealMethods =
  & Pick<
    GPUDevice,
    | "createShaderModule"
    | "createBindGroup"
    | "createBindGroupLayout"
    | "createPipelineLayout"
    | "createCommandEncoder"
  >
  & { readonly submit: (buffers: Iterable<GPUCommandBuffer>) => void };

/** Binds the methods of a device that is not followed yet. */
export function realMethods(device: GPUDevice): RealMethods {
  const { queue } = device;
  const submit = queue.submit.bind(queue);
  return {
    createShaderModule: device.createShaderModule.bind(device),
    createBindGroup: device.createBindGroup.bind(device),
    createBindGroupLayout: device.createBindGroupLayout.bind(device),
    createPipelineLayout: device.createPipelineLayout.bind(device),
    createCommandEncoder: device.createCommandEncoder.bind(device),
    submit: (buffers) => submit([...buffers]),
  };
}
