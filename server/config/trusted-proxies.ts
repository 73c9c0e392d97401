import { isIP } from "node:net";
import { StartupError } from "./startup-error.ts";

const LARGEST_PREFIX: Record<number, number> = { 4: 32, 6: 128 };

/**
 * Addresses of proxies and load balancers, or networks of them as in `10.0.8.0/24`, divided by commas. Empty is none.
 * @throws StartupError for anything else: a name may be another machine's tomorrow
 */
export function checkProxies(text = ""): string[] {
  const proxies = text.split(",").flatMap((proxy) => proxy.trim() || []);
  for (const proxy of proxies) {
    const [address = "", prefix = "1", ...rest] = proxy.split("/");
    const largest = LARGEST_PREFIX[isIP(address)] ?? 0;
    const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= largest;
    if (isPrefix && rest.length === 0) continue;
    throw new StartupError(
      `TILLGATE_TRUSTED_PROXIES must be addresses, or networks as in 10.0.8.0/24, not "${proxy}".`,
    );
  }
  return proxies;
}
