import { networkInterfaces } from "node:os";
import type { GatewayConfig } from "./config.ts";
import { findFirewall, type Surroundings } from "./firewalls.ts";
import { isPlainOnNetwork } from "./plain-http.ts";

type Listeners = Pick<GatewayConfig, "host" | "port" | "apiListen">;

export interface Reach {
  /** Whether a firewall is on that is not known to let other machines in. */
  isInDoubt: boolean;
  /** Who reaches the gateway, how to try it, and what to do where a firewall is in the way. */
  lines: string[];
}

/** How other machines reach what the configuration opens to them. */
export async function describeReach(config: Listeners, machine?: Surroundings): Promise<Reach> {
  const lines: string[] = [];
  let isInDoubt = false;
  for (const { scheme, host, port } of openListeners(config)) {
    const url = `${scheme}://${addressOf(host)}:${port}`;
    const insecure = scheme === "https" ? "--insecure " : "";
    lines.push(
      `Other machines reach ${url}. To try it, type on one of them: curl ${insecure}${url}/v1/openapi.json`,
    );
    const firewall = await findFirewall(port, machine);
    if (!firewall) continue;
    const { name, isOpen, command } = firewall;
    if (isOpen) {
      lines.push(`${name} lets them in by the port ${port}.`);
      continue;
    }
    isInDoubt = true;
    lines.push(
      isOpen === false
        ? `${name} blocks the port ${port}. An administrator opens it: ${command}`
        : `${name} is on, and only an administrator sees whether it blocks the port ${port}. This opens it: ${command}`,
    );
  }
  if (lines.length === 0) lines.push("Only this machine reaches Tillgate: no firewall is asked.");
  return { isInDoubt, lines };
}

function openListeners({ host, port, apiListen }: Listeners) {
  return [
    ...(isPlainOnNetwork({ host }) ? [{ scheme: "http", host, port }] : []),
    ...(apiListen && isPlainOnNetwork(apiListen) ? [{ scheme: "https", ...apiListen }] : []),
  ];
}

/** One that other machines can type, where every address is listened on. */
function addressOf(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const found = own.find(({ family, internal }) => family === "IPv4" && !internal);
  return found?.address ?? "ADDRESS-OF-THIS-MACHINE";
}
