import { networkInterfaces } from "node:os";
import type { PosNetwork } from "../../../contract/pos/support.ts";
import { isLoopback } from "../../../http/addresses.ts";
import { ownAddresses } from "../../../lib/own-addresses.ts";

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
