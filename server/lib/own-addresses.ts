import { networkInterfaces } from "node:os";

const INNER = /^(docker|br-|veth|virbr|vmnet|utun|tun|tap)/;

/** Returns this machine's IPv4 addresses, first those that other devices of the shop can reach. */
export function ownAddresses(
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
