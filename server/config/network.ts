import { isIP } from "node:net";
import type { Environment } from "./env.ts";
import { LastingError } from "./startup-error.ts";

export interface ListenAddress {
  host: string;
  /** 0 uses any free port. */
  port: number;
}

/** Network listeners besides the gateway's own port. An absent address opens no listener. */
export interface NetworkConfig {
  /** Permits the gateway's own port, which serves plain HTTP, to accept other machines. */
  insecureHttp?: boolean;
  /** Listener of `/v1` for other machines, with TLS. */
  apiListen?: ListenAddress | undefined;
  /** Listener of the till for enrolled devices, with TLS. */
  tillListen?: ListenAddress | undefined;
  /** The owner's certificate; default: the certificate that the shop creates. */
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

/** @throws StartupError naming the option and the variable */
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

/** Parses `HOST:PORT`, with an IPv6 address in brackets. An empty text means none. */
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
