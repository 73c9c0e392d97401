import { BlockList, isIP } from "node:net";
import type { GatewayConfig } from "./config.ts";
import { LastingError } from "./startup-error.ts";

export const PLAIN_HTTP_WARNING =
  "Warning: other machines reach Tillgate by plain HTTP (--insecure-http). Everybody on the network can " +
  "read PINs and sales on their way. docs/operate.md has the safe way.";

const machine = new BlockList();
machine.addSubnet("127.0.0.0", 8, "ipv4");
machine.addAddress("::1", "ipv6");

/** Returns whether the gateway's own port serves other machines by plain HTTP. */
export function isPlainOnNetwork({ host }: Pick<GatewayConfig, "host">): boolean {
  if (host === "localhost") return false;
  const family = isIP(host);
  return family === 0 || !machine.check(host, family === 6 ? "ipv6" : "ipv4");
}

/**
 * @throws StartupError if the gateway would serve other machines by plain HTTP without the owner's
 * consent (rules#access-network-tls)
 */
export function requireSafeNetwork(config: GatewayConfig): void {
  if (!isPlainOnNetwork(config) || config.insecureHttp) return;
  throw new LastingError(
    `--host ${config.host} (TILLGATE_HOST) opens plain HTTP to the network, where PINs and sales can be read ` +
      "on their way. Leave it out, and see docs/operate.md; or add --insecure-http (TILLGATE_INSECURE_HTTP=on).",
  );
}
