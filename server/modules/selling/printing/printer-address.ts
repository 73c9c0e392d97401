import { lookup } from "node:dns/promises";
import { isIP, SocketAddress } from "node:net";
import type { Printer } from "../../../contract/pos/printers.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { withTimeout } from "../../../lib/with-timeout.ts";

const LOOKUP_TIMEOUT_MS = 3 * SECOND;
const IPV4_IN_IPV6 = "::ffff:";

type Address = Pick<Printer, "host" | "port">;

interface Compared {
  readonly same: Printer | undefined;
  /** True if a name could not be resolved, and was therefore not compared. */
  readonly isUnknown: boolean;
}

/**
 * Compares resolved addresses, to detect a printer with two entries, whose prints would not wait
 * for each other.
 */
export async function compareAddresses(
  { host, port }: Address,
  others: readonly Printer[],
  clock: Clock,
): Promise<Compared> {
  const candidates = others.filter((other) => other.port === port);
  if (candidates.length === 0) return { same: undefined, isUnknown: false };
  const [own, ...theirs] = await Promise.all(
    [host, ...candidates.map((other) => other.host)].map((one) => findAddresses(one, clock)),
  );
  const same = candidates.find((other, at) => {
    if (other.host.toLowerCase() === host.toLowerCase()) return true;
    return theirs[at]?.some((address) => own?.includes(address)) ?? false;
  });
  return { same, isUnknown: !same && [own, ...theirs].includes(undefined) };
}

async function findAddresses(host: string, clock: Clock): Promise<string[] | undefined> {
  if (isIP(host) !== 0) return [canonicalAddress(host)];
  try {
    const timeout = { timeout_ms: LOOKUP_TIMEOUT_MS };
    const found = await withTimeout(clock, timeout, () => lookup(host, { all: true }));
    return found.map(({ address }) => canonicalAddress(address));
  } catch {
    return undefined;
  }
}

function canonicalAddress(address: string): string {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const spelled = new SocketAddress({ address, family }).address;
  return spelled.startsWith(IPV4_IN_IPV6) ? spelled.slice(IPV4_IN_IPV6.length) : spelled;
}
