import { hostname, networkInterfaces } from "node:os";

/**
 * What devices of the shop's network may call this machine: its name, the same with `.local`, and its
 * addresses, without those that change by themselves with each connection.
 */
export function machineNames(): string[] {
  const name = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith("fe80:"));
  const local = name.endsWith(".local") ? [] : [`${name}.local`];
  return [...new Set(["localhost", name, ...local, "127.0.0.1", "::1", ...addresses])];
}
