import { isIP } from "node:net";
import { isLoopback } from "../../../http/addresses.ts";
import { ownAddresses } from "../../../lib/own-addresses.ts";

export interface Listener {
  readonly host: string;
  readonly port: number;
}

interface MachineNames {
  readonly names: readonly string[];
  readonly allowed: readonly string[];
}

/**
 * Returns the URLs for other devices: names that an owner allowed, the machine's `.local` name,
 * then its addresses. Names precede addresses because they stay the same when an address changes,
 * and the till's cookies belong to the opened name or address.
 */
export function entranceOf(
  { host, port }: Listener,
  { names, allowed }: MachineNames,
  addresses: readonly string[] = ownAddresses(),
): string[] {
  const isAny = host === "0.0.0.0" || host === "::";
  const isHere = isLoopback(host) || host === "localhost";
  const own = isHere ? [] : names.filter((name) => isIP(name) === 0 && name.endsWith(".local"));
  const ours = [...allowed.filter((name) => name !== "localhost"), ...own];
  const found = new Set([...ours, ...(isAny ? addresses : [host])]);
  return [...found].map((one) => `https://${one.includes(":") ? `[${one}]` : one}:${port}`);
}
