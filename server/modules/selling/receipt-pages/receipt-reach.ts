import type { ReceiptPageSettings, ReceiptWays } from "../../../contract/pos/receipt-pages.ts";
import { isPermitted } from "../../shop/certificates/index.ts";
import { describeNetwork } from "../../shop/reach/index.ts";

/** Path of the receipt pages, outside `/v1` and `/pos`. */
export const PAGE_PREFIX = "/r";

const HTTPS_PORT = 443;

export interface ReachDeps {
  config: {
    host: string;
    tillListen?: { port: number } | undefined;
    /** The owner's own certificate. */
    tls?: object | undefined;
  };
  /** Returns the names of this machine in the shop's network. */
  readNames: () => string[];
}

interface ReceiptReach {
  reach: ReceiptWays["reach"];
  /** Prefix of a page's path; empty if no phone reaches it. */
  base: string;
  /** Browsers warn, because no public authority issued the certificate. */
  isWarnedOf: boolean;
}

type Address = Pick<ReceiptPageSettings, "publicUrl">;

/**
 * Returns which phones reach a page, and its address.
 * @param port the port of the request
 */
export function findReach(
  { publicUrl }: Address,
  deps: ReachDeps & { port: number },
): ReceiptReach {
  if (publicUrl !== "") {
    const isWarnedOf = hasBrowserWarning(publicUrl, deps);
    return { reach: isWarnedOf ? "NETWORK" : "PUBLIC", base: publicUrl, isWarnedOf };
  }
  const [base = ""] = describeNetwork(deps.config.host, deps.port).addresses;
  return { reach: base === "" ? "NONE" : "NETWORK", base, isWarnedOf: false };
}

/** Returns the address that every phone opens anywhere; empty without one. */
export function addressForAll({ publicUrl }: Address, deps: ReachDeps): string {
  return publicUrl === "" || hasBrowserWarning(publicUrl, deps) ? "" : publicUrl;
}

/**
 * Returns whether browsers warn: names of a private network have certificates of the shop's authority only. So has the
 * tills' port, unless the owner has a certificate.
 */
function hasBrowserWarning(publicUrl: string, { config, readNames }: ReachDeps): boolean {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== "https:") return false;
  const name = hostname.replace(/^\[|\]$/g, "");
  if (isPermitted(name, readNames())) return true;
  const isTills = config.tillListen?.port === (port === "" ? HTTPS_PORT : Number(port));
  return isTills && config.tls === undefined;
}
