import type { Actor } from "../../../contract/pos/actor.ts";
import { isOpenOutcome } from "../../../contract/pos/outcome.ts";
import type { ReceiptLink, ReceiptLinkInput } from "../../../contract/pos/receipt-pages.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Tx } from "../../../db/database.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { requireRights, staffNames } from "../../shop/staff/index.ts";
import { describeSale, type SaleService } from "../sales/index.ts";
import {
  addLink,
  deriveToken,
  findLink,
  hashToken,
  listEndedLinks,
  listOpenLinks,
  readToken,
  revokeLink,
  type StoredLink,
} from "./link-store.ts";
import { findReach, PAGE_PREFIX, type ReachDeps, readPageSettings } from "./page-settings.ts";
import { findSending } from "./sending-store.ts";

export interface LinkDeps extends ReachDeps, Pick<Base, "db" | "transactor" | "clock"> {
  keyFile: Pick<FileSealer, "derive">;
  sales: SaleService;
  shop: ShopService;
}

const SHOWN = 20;
/** Minimum remaining fraction of the lifetime of a link that is reused. */
const FRESH_PART = 0.5;

interface LinkRequest {
  saleId: string;
  linkId: string;
  language: Language;
  approvalId: string | undefined;
  request: object;
}

/** Checks the permissions for receipt pages (rules#receipt-link-rights). */
export class ReceiptLinkService {
  readonly #deps: LinkDeps;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a link, or reuses an open link of the same person and language.
   * @param port the port of the request
   * @throws Problem NOT_FOUND, ID_TAKEN, APPROVAL_REQUIRED, INVALID_REQUEST if pages are off
   */
  async make(
    seller: Actor,
    saleId: string,
    { linkId, approvalId, ...input }: ReceiptLinkInput,
    port: number,
  ): Promise<ReceiptLink> {
    const { db, transactor, shop, sales } = this.#deps;
    const sale = await sales.get(seller, saleId);
    const language = input.language ?? (await shop.get(seller.accountId)).language;
    const request = { saleId, linkId, ...input };
    const needs = await this.listNeeds(seller, sale);
    const asked = { saleId, linkId, language, approvalId, request };
    const shownId = await transactor.transact(seller.accountId, (tx) =>
      this.#addOrReuse(tx, seller, { sale, needs }, asked),
    );
    const link = await findLink(db, { ...seller, linkId: shownId });
    if (!link) throw new Error(`link ${shownId} was not written`);
    return this.#view(link, {
      reader: seller,
      port,
      names: new Map([[seller.staffId, seller.name]]),
    });
  }

  /**
   * Lists the permissions that a print of the sale would need; none for the person's own sale
   * without hidden details. An unfinished line of another person's sale counts as hidden.
   */
  async listNeeds(seller: Actor, sale: Sale): Promise<Need[]> {
    const isOwn = sale.staff.staffId === seller.staffId;
    const shows = sale.lines.some(
      ({ details, outcome }) => details === "HIDDEN" || (!isOwn && isOpenOutcome(outcome)),
    );
    return [
      ...(isOwn ? [] : [{ right: "reprint" as const }]),
      ...(shows ? [{ right: "reveal" as const }] : []),
      ...(await this.#deps.sales.needsToSee(seller, sale)),
    ];
  }

  async #addOrReuse(
    tx: Tx,
    seller: Actor,
    of: { sale: Sale; needs: readonly Need[] },
    asked: LinkRequest,
  ): Promise<string> {
    const { linkId, saleId } = asked;
    const isKnown = (await findLink(tx, { ...seller, linkId })) !== undefined;
    const earlier = isKnown ? undefined : await this.#findFresh(tx, seller, asked);
    if (!earlier) {
      await this.add(tx, seller, of, asked);
      return linkId;
    }
    const at = this.#deps.clock.now();
    const { request, approvalId } = asked;
    const facts = describeSale(of.sale);
    const action = { needs: of.needs, subject: saleId, request, approvalId, facts, at };
    await requireRights(tx, seller, action);
    await recordReveal(tx, seller, of, at);
    return earlier.linkId;
  }

  /** Sent links are not reused, so that a customer's link can be withdrawn separately. */
  async #findFresh(
    tx: Tx,
    seller: Actor,
    { saleId, language }: LinkRequest,
  ): Promise<StoredLink | undefined> {
    const { clock, keyFile } = this.#deps;
    const now = clock.now();
    const { enabled } = await readPageSettings(tx, seller.accountId);
    if (!enabled) return undefined;
    for (const link of await listOpenLinks(tx, seller, saleId, now)) {
      const { linkId, staffId, createdAt, expiresAt } = link;
      const isFresh = expiresAt - now >= (expiresAt - createdAt) * FRESH_PART;
      if (staffId !== seller.staffId || link.language !== language || !isFresh) continue;
      if (!("token" in readToken(link, { clock, keyFile }))) continue;
      if (!(await findSending(tx, seller, linkId))) return link;
    }
    return undefined;
  }

  /** Adds a link in the caller's transaction. A repeated call changes nothing. */
  async add(
    tx: Tx,
    seller: Actor,
    { sale, needs }: { sale: Sale; needs: readonly Need[] },
    { saleId, linkId, language, approvalId, request }: LinkRequest,
  ): Promise<void> {
    const { clock, keyFile } = this.#deps;
    const { accountId, environment, staffId } = seller;
    const earlier = await findLink(tx, { accountId, environment, linkId });
    if (earlier) {
      if (earlier.saleId === saleId && earlier.staffId === staffId) return;
      throw new Problem("ID_TAKEN", "Another link has this id.", { linkId: "is taken" });
    }
    const { enabled, keepDays } = await readPageSettings(tx, accountId);
    if (!enabled) throw pagesOff();
    const at = clock.now();
    const facts = describeSale(sale);
    await requireRights(tx, seller, { needs, subject: saleId, request, approvalId, facts, at });
    await addLink(tx, {
      accountId,
      environment,
      linkId,
      tokenHash: hashToken(deriveToken(keyFile, { accountId, environment, linkId })),
      saleId,
      staffId,
      language,
      createdAt: at,
      expiresAt: at + keepDays * DAY,
    });
    const entry = { accountId, staffId, subject: saleId, at };
    const detail = { ...facts, days: keepDays, environment };
    await recordAudit(tx, { ...entry, action: "receipt.link", detail });
    await recordReveal(tx, seller, { sale, needs }, at);
  }

  async list(reader: Actor, saleId: string): Promise<ReceiptLink[]> {
    const { db, sales, clock } = this.#deps;
    await sales.get(reader, saleId);
    const now = clock.now();
    const open = await listOpenLinks(db, reader, saleId, now);
    const ended = await listEndedLinks(db, reader, { saleId, now, limit: SHOWN });
    const links = [...open, ...ended];
    const names = await staffNames(
      db,
      reader.accountId,
      links.map(({ staffId }) => staffId),
    );
    return Promise.all(links.map((link) => this.#view(link, { names })));
  }

  /** @throws Problem NOT_FOUND */
  async revoke(seller: Actor, { saleId, linkId }: { saleId: string; linkId: string }) {
    const { db, transactor, clock, sales } = this.#deps;
    const sale = await sales.get(seller, saleId);
    const { accountId, environment, staffId } = seller;
    const link = await findLink(db, { accountId, environment, linkId });
    if (link?.saleId !== saleId) throw new Problem("NOT_FOUND", "There is no such link.");
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const ref = { accountId, environment, linkId, saleId };
      if (!(await revokeLink(tx, ref, { staffId, at }))) return;
      const detail = { ...describeSale(sale), environment };
      const entry = { accountId, staffId, subject: saleId, detail, at };
      await recordAudit(tx, { ...entry, action: "receipt.unlink" });
    });
  }

  async #view(
    link: StoredLink,
    { reader, port, names }: { reader?: Actor; port?: number; names: Map<string, string> },
  ): Promise<ReceiptLink> {
    const { createdAt, expiresAt, revokedAt } = link;
    const isMaker = reader?.staffId === link.staffId;
    const url = isMaker && port !== undefined ? await this.#getUrl(link, port) : undefined;
    return {
      linkId: link.linkId,
      ...(url !== undefined && { url }),
      language: link.language,
      madeBy: names.get(link.staffId) ?? "",
      createdAt: toTimestamp(createdAt),
      expiresAt: toTimestamp(expiresAt),
      ...(revokedAt !== undefined && { revokedAt: toTimestamp(revokedAt) }),
      views: link.views,
      detailsShown: link.detailsShown,
    };
  }

  /** @returns undefined if the link has ended, no phone can open it, or the key file has changed */
  async #getUrl(link: StoredLink, port: number): Promise<string | undefined> {
    const settings = await readPageSettings(this.#deps.db, link.accountId);
    const { base } = findReach(settings, { ...this.#deps, port });
    if (!settings.enabled || base === "") return undefined;
    const read = readToken(link, this.#deps);
    return "token" in read ? `${base}${PAGE_PREFIX}/${read.token}` : undefined;
  }
}

async function recordReveal(
  tx: Tx,
  { accountId, environment, staffId }: Actor,
  { sale, needs }: { sale: Sale; needs: readonly Need[] },
  at: number,
): Promise<void> {
  if (!needs.some(({ right }) => right === "reveal")) return;
  const detail = { ...describeSale(sale), environment };
  const entry = { accountId, staffId, subject: sale.saleId, detail, at };
  await recordAudit(tx, { ...entry, action: "sale.reveal" });
}

function pagesOff(): Problem {
  return new Problem("INVALID_REQUEST", "The shop has switched pages of receipts off.", {
    enabled: "is off in the settings of receipts",
  });
}
