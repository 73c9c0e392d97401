import { isIP } from "node:net";
import { isLoopback } from "../../../http/addresses.ts";
import { ownAddresses } from "../../../lib/own-addresses.ts";

/** What devices of the network get in by. */
export interface Listener {
  readonly host: string;
  readonly port: number;
}

interface Names {
  /** What this machine is called, and its addresses. */
  readonly names: readonly string[];
  /** Further names that an owner gave it. */
  readonly allowed: readonly string[];
}

/**
 * What is opened on another device: names that an owner gave, this machine's own with `.local`, then its
 * addresses. A name comes first because it stays when the machine gets another address, and the till's
 * cookies, which let a device in, are of the name or address that was opened.
 */
export function entranceOf(
  { host, port }: Listener,
  { names, allowed }: Names,
  addresses: readonly string[] = ownAddresses(),
): string[] {
  const isAny = host === "0.0.0.0" || host === "::";
  const isHere = isLoopback(host) || host === "localhost";
  const own = isHere ? [] : names.filter((name) => isIP(name) === 0 && name.endsWith(".local"));
  const ours = [...allowed.filter((name) => name !== "localhost"), ...own];
  const found = new Set([...ours, ...(isAny ? addresses : [host])]);
  return [...found].map((one) => `https://${one.includes(":") ? `[${one}]` : one}:${port}`);
}
