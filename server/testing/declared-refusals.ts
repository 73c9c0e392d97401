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
  // A path without a parameter goes before one that has it in the same place.
  .toSorted(
    (a, b) => Number(a.operation.path.includes(":")) - Number(b.operation.path.includes(":")),
  );

/** Before any operation is looked at: an address that is none, a body that is none, a port that stops. */
const EDGE_REFUSALS = ["METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

/** All codes that an operation may refuse with, by what it declares. */
function refusalsOf({ access, right, rights, refusals, asksPin }: Operation): readonly string[] {
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

/** @throws when an operation of the till refused with what it does not declare */
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
  // Of a foreign page or a foreign host, whatever it asks for.
  if (errorCode === "FORBIDDEN" && fields && ("host" in fields || "origin" in fields)) return;
  if (!refusalsOf(operation).includes(errorCode)) {
    throw new Error(`${nameOf(operation)} refuses with ${errorCode}, which it does not declare`);
  }
  const right = errorCode === "APPROVAL_REQUIRED" ? fields?.right : undefined;
  if (right !== undefined && !operation.rights?.some((declared) => declared === right)) {
    throw new Error(`${nameOf(operation)} takes the right ${right}, which it does not declare`);
  }
}
