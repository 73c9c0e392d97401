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
 * Returns the till's URLs for other devices: first the names that an owner allowed, next the
 * machine's `.local` name, last its addresses. Names are preferred because an address may change,
 * and the till's cookies belong to the opened address.
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
