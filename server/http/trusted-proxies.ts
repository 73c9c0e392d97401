import { BlockList, isIP } from "node:net";

/**
 * Whether an address is that of a proxy whose word is taken for whom it asks (`X-Forwarded-For`), and by which protocol.
 * @param proxies addresses, and networks as in `10.0.8.0/24`
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
