import { networkInterfaces } from "node:os";
import type { PosNetwork } from "../../contract/pos/support.ts";
import { isLoopback } from "../../http/addresses.ts";

/** Names of interfaces that no other device of the shop is behind. */
const INNER = /^(docker|br-|veth|virbr|vmnet|utun|tun|tap)/;

/**
 * What other devices type to open the till.
 * @param host the address that the gateway listens on
 */
export function describeNetwork(
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): PosNetwork {
  const open = !isLoopback(host) && host !== "localhost";
  if (!open) return { open, host, port, addresses: [] };
  const isAny = host === "0.0.0.0" || host === "::";
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal }) => family === "IPv4" && !internal)
      .map(({ address }) => ({ address, isInner: INNER.test(name) })),
  );
  const ours = isAny ? found : [{ address: host, isInner: false }];
  return {
    open,
    host,
    port,
    addresses: ours
      .toSorted((a, b) => Number(a.isInner) - Number(b.isInner))
      .map(({ address }) => `http://${address.includes(":") ? `[${address}]` : address}:${port}`),
  };
}
