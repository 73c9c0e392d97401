import { isIP } from "node:net";
import type { Environment } from "./env.ts";
import { LastingError } from "./startup-error.ts";

export interface ListenAddress {
  host: string;
  /** 0 uses any free port. */
  port: number;
}

/**
 * Network listeners besides the gateway's own port. Without an address, a listener is not opened.
 */
export interface NetworkConfig {
  /** Whether the gateway's own port may serve other machines by plain HTTP. */
  insecureHttp?: boolean;
  /** Listener of `/v1` for other machines, with TLS. */
  apiListen?: ListenAddress | undefined;
  /** Listener of the till for enrolled devices, with TLS. */
  tillListen?: ListenAddress | undefined;
  /** Certificate that the owner provides; default is the certificate that the shop creates. */
  tls?: { certFile: string; keyFile: string } | undefined;
}

export interface NetworkOptions {
  insecureHttp?: boolean | undefined;
  apiListen?: string | undefined;
  tillListen?: string | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
}

const LARGEST_PORT = 65_535;

/** @throws StartupError that names the invalid option and variable */
export function checkNetwork(options: NetworkOptions, env: Environment): NetworkConfig {
  const { certFile, keyFile } = {
    certFile: (options.tlsCert ?? env.tlsCert) || undefined,
    keyFile: (options.tlsKey ?? env.tlsKey) || undefined,
  };
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new LastingError(
      "--tls-cert (TILLGATE_TLS_CERT) and --tls-key (TILLGATE_TLS_KEY) must be given together.",
    );
  }
  return {
    insecureHttp: options.insecureHttp ?? checkSwitch(env.insecureHttp),
    apiListen: checkAddress(
      "--api-listen (TILLGATE_API_LISTEN)",
      options.apiListen ?? env.apiListen,
    ),
    tillListen: checkAddress(
      "--till-listen (TILLGATE_TILL_LISTEN)",
      options.tillListen ?? env.tillListen,
    ),
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
  };
}

/** Parses `HOST:PORT`, with an IPv6 address in brackets. An empty text means no listener. */
function checkAddress(name: string, text: string | undefined): ListenAddress | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const [, bracketed, plain = "", digits] = /^(?:\[(.+)\]|([^\s/:]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const isHost = bracketed === undefined ? plain !== "" : isIP(bracketed) === 6;
  if (isHost && port <= LARGEST_PORT) return { host: bracketed ?? plain, port };
  throw new LastingError(
    `${name} must be an address and a port such as 0.0.0.0:7443, not "${text}".`,
  );
}

function checkSwitch(text: string | undefined): boolean {
  if (text === undefined || text === "" || text === "off") return false;
  if (text === "on") return true;
  throw new LastingError(`TILLGATE_INSECURE_HTTP must be on or off, not "${text}".`);
}
