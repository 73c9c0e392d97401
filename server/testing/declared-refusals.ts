import {
  COMMON_REFUSALS,
  nameOf,
  type Operation,
  OWN_PIN_REFUSALS,
  POS_PREFIX,
} from "../contract/pos/operation.ts";
import { OPERATIONS } from "../contract/pos/operations.ts";

const KNOWN = OPERATIONS.map((operation) => {
  const pattern = POS_PREFIX + operation.path.replaceAll(/:\w+/g, "[^/]+");
  return { operation, address: new RegExp(`^${pattern}/?$`) };
})
  // A literal path precedes a path with a parameter in the same position.
  .toSorted(
    (a, b) => Number(a.operation.path.includes(":")) - Number(b.operation.path.includes(":")),
  );

/** Refusals before the operation is known, such as for an invalid address or body. */
const EDGE_REFUSALS = ["METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

function refusalsOf({
  access,
  right,
  rights,
  refusals = [],
  asksPin,
}: Operation): readonly string[] {
  return [
    ...COMMON_REFUSALS,
    ...refusals,
    ...(["staff", "seller", "bookkeeper", "owner"].includes(access) ? ["NOT_SIGNED_IN"] : []),
    ...(access === "seller" || access === "bookkeeper" || access === "owner" || right
      ? ["FORBIDDEN"]
      : []),
    ...(rights ? ["APPROVAL_REQUIRED"] : []),
    ...(asksPin ? OWN_PIN_REFUSALS : []),
  ];
}

interface Refusal {
  errorCode: string;
  fields?: { right?: string };
}

/** @throws Error if an operation of the till refuses with a code that it does not declare */
export function requireDeclared(
  method: string,
  path: string,
  { errorCode, fields }: Refusal,
): void {
  const [address = ""] = path.split("?", 1);
  const found = KNOWN.find(
    (known) => known.operation.method === method && known.address.test(address),
  );
  if (!found || EDGE_REFUSALS.includes(errorCode)) return;
  const { operation } = found;
  // Every operation refuses requests of a foreign page or host.
  if (errorCode === "FORBIDDEN" && fields && ("host" in fields || "origin" in fields)) return;
  if (!refusalsOf(operation).includes(errorCode)) {
    throw new Error(`${nameOf(operation)} refuses with ${errorCode}, which it does not declare`);
  }
  const right = errorCode === "APPROVAL_REQUIRED" ? fields?.right : undefined;
  if (right !== undefined && !operation.rights?.some((declared) => declared === right)) {
    throw new Error(`${nameOf(operation)} takes the right ${right}, which it does not declare`);
  }
}
