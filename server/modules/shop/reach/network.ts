import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { PosNetwork } from "../../../contract/pos/support.ts";
import { isLoopback } from "../../../http/addresses.ts";

/** @param host address on which the gateway listens */
export function describeNetwork(
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): PosNetwork {
  const open = !isLoopback(host) && host !== "localhost";
  if (!open) return { open, host, port, addresses: [] };
  const isAny = host === "0.0.0.0" || host === "::";
  const ours = isAny ? ownAddresses(interfaces) : [host];
  return {
    open,
    host,
    port,
    addresses: ours.map(
      (address) => `http://${address.includes(":") ? `[${address}]` : address}:${port}`,
    ),
  };
}

interface Listener {
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

const INNER = /^(docker|br-|veth|virbr|vmnet|utun|tun|tap)/;

/** Returns this machine's IPv4 addresses, first those that other devices of the shop can reach. */
function ownAddresses(
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string[] {
  return Object.entries(interfaces)
    .flatMap(([name, addresses = []]) =>
      addresses
        .filter(({ family, internal }) => family === "IPv4" && !internal)
        .map(({ address }) => ({ address, isInner: INNER.test(name) })),
    )
    .toSorted((a, b) => Number(a.isInner) - Number(b.isInner))
    .map(({ address }) => address);
}
