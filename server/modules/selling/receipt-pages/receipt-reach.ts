import type { ReceiptPageSettings, ReceiptWays } from "../../../contract/pos/receipt-pages.ts";
import { isPermitted } from "../../shop/certificates/index.ts";
import { describeNetwork } from "../../shop/reach/index.ts";

export const PAGE_PREFIX = "/r";

const HTTPS_PORT = 443;

export interface ReachDeps {
  config: {
    host: string;
    tillListen?: { port: number } | undefined;
    tls?: object | undefined;
  };
  /** Names of this machine in the shop's network. */
  readNames: () => string[];
}

interface ReceiptReach {
  reach: ReceiptWays["reach"];
  /** Empty if no phone can open the page. */
  base: string;
  /** True if browsers warn, because no public authority issued the certificate. */
  isWarnedOf: boolean;
}

type Address = Pick<ReceiptPageSettings, "publicUrl">;

/**
 * Returns which phones can open a page.
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

export function addressForAll({ publicUrl }: Address, deps: ReachDeps): string {
  return publicUrl === "" || hasBrowserWarning(publicUrl, deps) ? "" : publicUrl;
}

/**
 * Returns whether browsers warn of the certificate. Names in a private network have certificates of
 * the shop's own authority. So does the tills' port, unless the owner provides a certificate.
 */
function hasBrowserWarning(publicUrl: string, { config, readNames }: ReachDeps): boolean {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== "https:") return false;
  const name = hostname.replace(/^\[|\]$/g, "");
  if (isPermitted(name, readNames())) return true;
  const isTills = config.tillListen?.port === (port === "" ? HTTPS_PORT : Number(port));
  return isTills && config.tls === undefined;
}
