import type { GatewayConfig } from "./config.ts";
import { isPlainOnNetwork } from "./plain-http.ts";

export interface OpenListener {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
}

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
