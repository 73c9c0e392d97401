import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4");
}

/**
 * Creates the check for trusted proxies. Only they may forward addresses and protocols.
 * @param proxies addresses, and networks such as `10.0.8.0/24`
 */
export function createProxyTrust(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", prefix] = proxy.split("/");
    const family = familyOf(address);
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
