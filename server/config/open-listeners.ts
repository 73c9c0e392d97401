import type { GatewayConfig } from "./config.ts";
import { isPlainOnNetwork } from "./plain-http.ts";

/** A listener that other machines can reach. */
export interface OpenListener {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
}

/** Lists the listeners that the configuration opens beyond this machine; port 0 is any free port. */
export function openListeners({
  host,
  port,
  apiListen,
  tillListen,
}: Pick<GatewayConfig, "host" | "port" | "apiListen" | "tillListen">): OpenListener[] {
  const secure = [apiListen, tillListen].flatMap((where) => where ?? []);
  return [
    { scheme: "http", host, port } as const,
    ...secure.map((where) => ({ scheme: "https", ...where }) as const),
  ].filter(isPlainOnNetwork);
}
