import type { ReceiptPageSettings, ReceiptWays } from "../../../contract/pos/receipt-pages.ts";
import { isPermitted } from "../../shop/certificates/index.ts";
import { describeNetwork } from "../../shop/reach/index.ts";

/** Where the pages of receipts are, outside `/v1` and `/pos`. */
export const PAGE_PREFIX = "/r";

const HTTPS_PORT = 443;

export interface ReachDeps {
  config: {
    host: string;
    tillListen?: { port: number } | undefined;
    /** A certificate of the owner's own. */
    tls?: object | undefined;
  };
  /** What this machine is called in the shop's network. */
  readNames: () => string[];
}

interface Reach {
  reach: ReceiptWays["reach"];
  /** What the path of a page follows; empty where nobody reaches it. */
  base: string;
  /** Customers' browsers warn of the address, since nobody that they trust vouches for it. */
  isWarnedOf: boolean;
}

type Address = Pick<ReceiptPageSettings, "publicUrl">;

/** Which phones reach a page, and where. @param port that the gateway is asked at */
export function reachOf({ publicUrl }: Address, deps: ReachDeps & { port: number }): Reach {
  if (publicUrl !== "") {
    const isWarnedOf = warnsOf(publicUrl, deps);
    return { reach: isWarnedOf ? "NETWORK" : "PUBLIC", base: publicUrl, isWarnedOf };
  }
  const [base = ""] = describeNetwork(deps.config.host, deps.port).addresses;
  return { reach: base === "" ? "NONE" : "NETWORK", base, isWarnedOf: false };
}

/** The address that every customer's phone opens, wherever it is; empty where there is none. */
export function addressForAll({ publicUrl }: Address, deps: ReachDeps): string {
  return publicUrl === "" || warnsOf(publicUrl, deps) ? "" : publicUrl;
}

/**
 * Nobody but the shop's own authority vouches for a name of its network, and at the tills' port that is the one
 * that is served, unless the owner has a certificate of their own.
 */
function warnsOf(publicUrl: string, { config, readNames }: ReachDeps): boolean {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== "https:") return false;
  const name = hostname.replace(/^\[|\]$/g, "");
  if (isPermitted(name, readNames())) return true;
  const isTills = config.tillListen?.port === (port === "" ? HTTPS_PORT : Number(port));
  return isTills && config.tls === undefined;
}
