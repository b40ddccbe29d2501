import type { Parameter, Result, Struct } from "./kind.ts";
import type { FunctionSignature } from "./signature.ts";

/** The signature of a function as both sides must have it: `math.hypot(f64, f64) -> f64`. */
export function signatureText(name: string, signature: FunctionSignature): string {
  const { parameters, result, failsWith } = signature;
  const failure = failsWith === undefined ? "" : `, ${failsWith} on failure`;
  return `${name}(${parameters.map(kindText).join(", ")}) -> ${kindText(result)}${failure}`;
}

function kindText(kind: Parameter | Result): string {
  switch (kind.kind) {
    case "scalar":
      return kind.type;
    case "bytes":
      return `${kind.direction} bytes${kind.length ? `[${kind.length}]` : ""}`;
    case "handle":
      return `${kind.isEnd ? "ends " : ""}Handle<${kind.name}>`;
    case "struct":
      return structText(kind);
    case "reference":
      return `${kind.direction} *${structText(kind.struct)}`;
    case "nullable":
      return `${kindText(kind.of)} or null`;
    case "constant":
      return `${kind.of.type} = ${kind.value}`;
    case "callback":
      return `(${kind.parameters.map(kindText).join(", ")}) => ${kindText(kind.result)}`;
    case "variadic":
      return "...";
    default:
      return kind.kind;
  }
}

function structText({ fields }: Struct): string {
  const texts = Object.entries(fields).map(([name, field]) => `${name}: ${kindText(field)}`);
  return `{ ${texts.join(", ")} }`;
}
