import type { Author } from "../../../contract/pos/actor.ts";
import { ReceiptPageSettings, type ReceiptWays } from "../../../contract/pos/receipt-pages.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { isPermitted } from "../../shop/certificates/index.ts";
import { describeNetwork } from "../../shop/reach/index.ts";

const RECEIPT_PAGES = accountSetting("receipt_pages", ReceiptPageSettings);

const NOT_SET: ReceiptPageSettings = {
  enabled: true,
  publicUrl: "",
  keepDays: 30,
  detailsInMail: false,
};

export async function readPageSettings(
  db: Db | Tx,
  accountId: string,
): Promise<ReceiptPageSettings> {
  return (await readSetting(db, accountId, RECEIPT_PAGES)) ?? NOT_SET;
}

/** Whether an owner set a public address (rules#receipt-at-tills-port). */
export async function hasAddress(db: Db | Tx, accountId: string): Promise<boolean> {
  return (await readPageSettings(db, accountId)).publicUrl !== "";
}

/** @throws Problem INVALID_REQUEST naming `publicUrl` */
export async function setPageSettings(
  { transactor, clock }: { transactor: Transactor; clock: Clock },
  author: Author,
  input: ReceiptPageSettings,
): Promise<ReceiptPageSettings> {
  const { accountId, staffId } = author;
  if (input.publicUrl !== "" && !URL.canParse(input.publicUrl)) {
    throw new Problem("INVALID_REQUEST", "The public address is no address.", {
      publicUrl: "must be an address such as https://receipts.shop.example",
    });
  }
  const settings = { ...input, publicUrl: input.publicUrl.replace(/\/+$/, "") };
  await transactor.transact(accountId, async (tx) => {
    const detail = whatChanged({ ...(await readPageSettings(tx, accountId)) }, { ...settings });
    if (Object.keys(detail).length === 0) return;
    await writeSetting(tx, accountId, RECEIPT_PAGES, settings);
    const entry = { accountId, staffId, subject: accountId, detail, at: clock.now() };
    await recordAudit(tx, { ...entry, action: "receipt.pages" });
  });
  return settings;
}

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
