import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { buildConnector } from "undici";
import type { Clock } from "./clock.ts";
import { orAborted, withDeadline } from "./with-timeout.ts";

export interface OutgoingRequest extends AddressPolicy {
  method: "HEAD" | "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Timeout for the status line. */
  timeout_ms: number;
  /** Maximum number of body bytes to return. Reading stops after `read_bytes`. */
  keep_bytes: number;
  read_bytes: number;
  signal?: AbortSignal;
}

export interface OutgoingAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  complete: boolean;
  /** Reason why the body is incomplete; absent if it is complete or was cut at `keep_bytes`. */
  fault?: OutgoingError;
}

/** Error if there is no response. The message is for the owner. */
export class OutgoingError extends Error {
  /** `address`: the target is refused. `aborted`: the caller aborted. */
  readonly kind: "address" | "timeout" | "connection" | "aborted";
  /** True if a connection was established: the server may have received the request. */
  readonly connected: boolean;

  constructor(kind: OutgoingError["kind"], message: string, connected = false) {
    super(message);
    this.kind = kind;
    this.connected = connected;
  }
}

export type SendOutgoing = (request: OutgoingRequest, clock: Clock) => Promise<OutgoingAnswer>;

const LARGEST_HEADERS_BYTES = 16 * 1024;
const LONGEST_URL = 2048;

/**
 * Returns the reason why a text is not a URL for outgoing calls; undefined if it is. Resolves no
 * names.
 */
export function whyNotUrl(text: string): string | undefined {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return "is not a URL";
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "must begin with http:// or https://";
  if (username !== "" || password !== "") return "must not hold a name or password; use a header";
  return hash === "" ? undefined : "must not have a part after #";
}

/**
 * Sends one request to a foreign server on a separate connection, without following redirects.
 * Checks every address when it connects, so that a name cannot change between check and call
 * (rules#webhook-targets).
 * @param resolve name resolution, which tests replace
 * @throws OutgoingError
 */
export async function sendGuarded(
  request: OutgoingRequest,
  clock: Clock,
  resolve: LookupFunction = lookup,
): Promise<OutgoingAnswer> {
  const fault = whyNotUrl(request.url);
  if (fault) throw new OutgoingError("address", `The URL ${fault}.`);
  const { origin, pathname, search } = new URL(request.url);
  let connected = false;
  const { buildConnector, Client } = await import("undici");
  const connect = guardedConnector(buildConnector, request, resolve);
  const client = new Client(origin, {
    connect: (options, callback) =>
      connect(options, (...result) => {
        connected = result[0] === null;
        callback(...result);
      }),
    maxHeaderSize: LARGEST_HEADERS_BYTES,
    // Disables the library's timeouts, because the request has one deadline on the `Clock`.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  const { timeout_ms, signal: caller } = request;
  const late = new OutgoingError("timeout", `No answer within ${timeout_ms / 1000} s.`);
  const givenUp = new OutgoingError("aborted", "The call was aborted.");
  try {
    return await withDeadline(
      clock,
      { timeout_ms, late, signal: caller, givenUp },
      async (signal) => {
        const answer = await orAborted(signal, () =>
          client.request({
            method: request.method,
            path: pathname + search,
            headers: { "user-agent": "Tillgate", ...request.headers },
            ...(request.body !== undefined && { body: request.body }),
            reset: true,
          }),
        );
        const read = await readBeginning(answer.body, request, signal);
        return { status: answer.statusCode, headers: answer.headers, ...read };
      },
    );
  } catch (error) {
    throw toOutgoingError(error, connected);
  } finally {
    // Does not wait for the rest of the response.
    client.destroy().catch(() => {});
  }
}

function guardedConnector(
  build: typeof buildConnector,
  policy: AddressPolicy,
  resolve: LookupFunction,
): buildConnector.connector {
  const connect = build({ lookup: guardedLookup(policy, resolve), timeout: 0 });
  return (options, callback) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, "");
    const refusal = isIP(hostname) === 0 ? undefined : whyRefused(hostname, policy);
    if (refusal) callback(new OutgoingError("address", `${refusal}.`), null);
    else connect(options, callback);
  };
}

/** Returns a lookup function that refuses a name if the policy refuses any of its addresses. */
export function guardedLookup(policy: AddressPolicy, resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === "string" ? [{ address: found, family: 4 }] : found;
      const [first] = addresses ?? [];
      const refusal = addresses?.map(({ address }) => whyRefused(address, policy)).find(Boolean);
      if (error) callback(error, "", 0);
      else if (refusal) {
        callback(new OutgoingError("address", `${hostname} is refused: ${refusal}.`), "", 0);
      } else if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family ?? 4);
    });
  };
}

/**
 * Reads the start of a body. Returns a partial body if the connection breaks or the deadline
 * passes.
 */
async function readBeginning(
  stream: AsyncIterable<Buffer> & { destroy(): unknown; on(name: "error", f: () => void): unknown },
  { keep_bytes, read_bytes }: OutgoingRequest,
  signal: AbortSignal,
): Promise<Pick<OutgoingAnswer, "body" | "complete" | "fault">> {
  const kept: Buffer[] = [];
  let read = 0;
  async function drain(): Promise<boolean> {
    for await (const chunk of stream) {
      if (read < keep_bytes) kept.push(chunk);
      read += chunk.length;
      if (read > read_bytes) return false;
    }
    return read <= keep_bytes;
  }
  stream.on("error", () => {});
  let fault: OutgoingError | undefined;
  const complete = await orAborted(signal, drain).catch((error: unknown) => {
    fault = toOutgoingError(error, true);
    return false;
  });
  stream.destroy();
  const body = Buffer.concat(kept).subarray(0, keep_bytes);
  return { body, complete, ...(fault && { fault }) };
}

function toOutgoingError(error: unknown, connected: boolean): OutgoingError {
  const root = rootOf(error);
  if (root instanceof OutgoingError) return new OutgoingError(root.kind, root.message, connected);
  const code = root instanceof Error && "code" in root ? String(root.code) : "";
  const message = FAULTS[code] ?? `No connection (${code || root}).`;
  return new OutgoingError("connection", message, connected);
}

function rootOf(error: unknown): unknown {
  if (error instanceof OutgoingError) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (error instanceof Error && error.cause !== undefined) return rootOf(error.cause);
  return error;
}

const FAULTS: Record<string, string> = {
  ECONNREFUSED: "Nothing listens there (ECONNREFUSED).",
  ECONNRESET: "The connection was cut (ECONNRESET).",
  UND_ERR_SOCKET: "The connection was cut.",
  ENOTFOUND: "There is no server of that name (ENOTFOUND).",
  EAI_AGAIN: "The name could not be looked up (EAI_AGAIN).",
  EHOSTUNREACH: "It cannot be reached (EHOSTUNREACH).",
  ENETUNREACH: "It cannot be reached (ENETUNREACH).",
  UND_ERR_HEADERS_OVERFLOW: "Its headers do not end.",
  CERT_HAS_EXPIRED: "Its certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "Its certificate is signed by itself.",
};

/** Policy for the addresses of outgoing calls. */
interface AddressPolicy {
  allowPrivate: boolean;
  /** Refuses public addresses, for messages that must stay within the shop. */
  privateOnly?: boolean;
}

const OWN_NETWORKS: readonly string[] = ["loopback", "private", "uniqueLocal", "carrierGradeNat"];

/**
 * Addresses of cloud metadata services, which return a machine's secrets. 169.254.169.254 is
 * refused as a link-local address.
 */
const METADATA: readonly string[] = [
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
].map((address) => ipaddr.parse(address).toNormalizedString());

/**
 * Returns the reason why an address must not be called; undefined if it may be called. Always
 * refuses link-local, multicast, reserved and tunnelled addresses.
 * @param address IP address in any notation, without brackets
 */
export function whyRefused(address: string, policy: AddressPolicy): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} is not an address`;
  const target = unwrap(ipaddr.parse(address));
  const range = rangeOf(target);
  if (range === "linkLocal" || METADATA.includes(target.toNormalizedString())) {
    return `${address} is a link-local or cloud-metadata address`;
  }
  if (range === "unicast") {
    return policy.privateOnly ? `${address} is an address of the open internet` : undefined;
  }
  if (!OWN_NETWORKS.includes(range)) return `${address} is not an address of a server`;
  return policy.allowPrivate
    ? undefined
    : `${address} is an address of this machine or of a private network`;
}

/**
 * Returns the IPv4 address inside an IPv4-mapped or NAT64 address; returns other addresses
 * unchanged.
 */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(ipaddr.IPv6.parseCIDR("64:ff9b::/96"))) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  if (range !== "unicast" || address instanceof ipaddr.IPv4) return range;
  // ipaddr.js treats the deprecated notation `::1.2.3.4` as unicast.
  return address.match(ipaddr.IPv6.parseCIDR("::/96")) ? "reserved" : range;
}
