import { createHmac, timingSafeEqual } from "node:crypto";
import { isOpenOutcome } from "../../../contract/pos/outcome.ts";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { GuessCounter } from "../../../lib/guess-counter.ts";
import { type FileSealer, SealError } from "../../../lib/sealer.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { BrandFaceService } from "../../catalog/brand-faces/index.ts";
import type { Base } from "../../module.ts";
import { findLogoPicture, type Shop, type ShopService } from "../../shop/shop/index.ts";
import { describeSale, type SaleService } from "../sales/index.ts";
import { type BillProofMaker, isPaidBill, proofName } from "./bill-proof/bill-proof-maker.ts";
import {
  findLinkByHash,
  hashToken,
  isOpen,
  isToken,
  noteDetailsShown,
  noteView,
  type StoredLink,
} from "./link-store.ts";
import type { Faces } from "./page-format.ts";
import { readPageSettings } from "./page-settings.ts";

/** Maximum per minute. */
const WRONG_LINKS = { ofOne: 30, ofAll: 600 };
/** Maximum per minute, because each view is stored. */
const PAGES = { ofOne: 120, ofAll: 3_000 };

/** Maximum per minute, because a proof takes tenths of a second of processor time. */
const PROOFS = { ofOne: 10, ofAll: 60 };

interface ReceiptPageServiceDeps extends Pick<Base, "db" | "transactor" | "memory" | "clock"> {
  keyFile: Pick<FileSealer, "derive">;
  sales: SaleService;
  shop: ShopService;
  proofs: BillProofMaker;
  brandFaces: BrandFaceService;
}

export interface ReceiptPage {
  token: string;
  sale: Sale;
  shop: Shop;
  language: Language;
  expiresAt: number;
  /** The line whose PIN or code the customer has revealed. */
  shown: SaleLine | undefined;
  faces: Faces;
  /** Mark for the automatic reload; present while a line is unfinished. */
  refresh: string | undefined;
}

export interface ProofPage {
  proof: Uint8Array;
  name: string;
}

export interface PagePicture {
  type: string;
  content: Uint8Array;
}

export type NoPage = { trouble: "NOT_FOUND" | "GONE" | "BUSY"; language: Language };

export type PageAct = { kind: "LOOK"; again: string } | { kind: "SHOW"; position: number };

/** Shows a receipt to everyone who has the link (rules#receipt-page). */
export class ReceiptPageService {
  readonly #deps: ReceiptPageServiceDeps;
  readonly #wrong: GuessCounter;
  readonly #pages: GuessCounter;
  readonly #proofs: GuessCounter;

  constructor(deps: ReceiptPageServiceDeps) {
    this.#deps = deps;
    this.#wrong = new GuessCounter(deps.memory, "wrong-links", WRONG_LINKS);
    this.#pages = new GuessCounter(deps.memory, "receipt-pages", PAGES);
    this.#proofs = new GuessCounter(deps.memory, "bill-proofs", PROOFS);
  }

  async open(
    accountId: string,
    token: string,
    source: string,
    act: PageAct,
  ): Promise<ReceiptPage | NoPage> {
    const found = await this.#find(accountId, token, source);
    if ("trouble" in found) return found;
    const { link, sale, shop } = found;
    const shown = await this.#note(link, sale, act);
    const isOpenStill = sale.lines.some(({ outcome }) => isOpenOutcome(outcome));
    const refresh =
      isOpenStill && !shown ? (makeRefreshMark(link.tokenHash, this.#deps) ?? "") : undefined;
    const { language, expiresAt } = link;
    const { list } = await this.#deps.brandFaces.list(link);
    const faces = new Map(list.map((facts) => [facts.brand, facts]));
    return { token, sale, shop, language, expiresAt, shown, faces, refresh };
  }

  async openPicture(
    accountId: string,
    token: string,
    source: string,
    digest: string,
  ): Promise<PagePicture | NoPage> {
    const { db, brandFaces } = this.#deps;
    const found = await this.#find(accountId, token, source);
    if ("trouble" in found) return found;
    if (found.shop.logo?.digest === digest) {
      const logo = await findLogoPicture(db, accountId);
      if (logo) return { type: logo.type, content: logo.content };
    }
    const { list } = await brandFaces.list(found.link);
    const isShown = list.some(
      ({ brand, logo }) => logo === digest && found.sale.lines.some((line) => line.brand === brand),
    );
    if (!isShown) return { trouble: "NOT_FOUND", language: found.link.language };
    return brandFaces.readLogo(accountId, digest);
  }

  /** Returns the proof of a paid bill (rules#receipt-bill-proof). */
  async openProof(
    accountId: string,
    token: string,
    source: string,
    position: number,
  ): Promise<ProofPage | NoPage> {
    const { transactor, clock, proofs } = this.#deps;
    const found = await this.#find(accountId, token, source);
    if ("trouble" in found) return found;
    const { link, sale, shop } = found;
    const { language } = link;
    const line = sale.lines.find((one) => one.position === position);
    if (!line || !isPaidBill(line)) return { trouble: "NOT_FOUND", language };
    if (!proofs.isFree || !(await this.#proofs.take(source))) return { trouble: "BUSY", language };
    const proof = await proofs.draw({ accountId: link.accountId, shop, sale, line, language });
    await transactor.transact(link.accountId, (tx) => noteView(tx, link, clock.now()));
    return { proof, name: proofName(sale, line) };
  }

  /**
   * Counts the guess before the lookup, so that a source cannot detect a correct link after too
   * many guesses.
   */
  async #find(
    accountId: string,
    token: string,
    source: string,
  ): Promise<{ link: StoredLink; sale: Sale; shop: Shop } | NoPage> {
    const { db, clock, sales, shop: shops } = this.#deps;
    const shop = await shops.find(accountId);
    const language = shop?.language ?? "en";
    if (!(await this.#wrong.take(source))) return { trouble: "BUSY", language };
    const link = isToken(token) ? await findLinkByHash(db, hashToken(token)) : undefined;
    if (!link || !shop) return { trouble: "NOT_FOUND", language };
    await this.#wrong.takeBack(source);
    if (!(await this.#pages.take(source))) return { trouble: "BUSY", language };
    const { enabled } = await readPageSettings(db, link.accountId);
    if (!enabled || !isOpen(link, clock.now())) {
      return { trouble: "GONE", language: link.language };
    }
    return { link, shop, sale: await sales.getForCustomer(link, link.saleId, link.language) };
  }

  async #note(link: StoredLink, sale: Sale, act: PageAct): Promise<SaleLine | undefined> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    if (act.kind === "LOOK") {
      // An automatic reload belongs to a view that was already counted.
      if (isRefresh(act.again, link.tokenHash, this.#deps)) return undefined;
      await transactor.transact(link.accountId, (tx) => noteView(tx, link, at));
      return undefined;
    }
    const line = sale.lines.find(({ position }) => position === act.position);
    if (line?.details !== "SHOWN") return undefined;
    await transactor.transact(link.accountId, async (tx) => {
      await noteDetailsShown(tx, link);
      const detail = {
        ...describeSale({ ...sale, lines: [line] }),
        environment: link.environment,
      };
      const entry = { accountId: link.accountId, subject: sale.saleId, detail, at };
      await recordAudit(tx, { ...entry, action: "receipt.page-details" });
    });
    return line;
  }
}

const PURPOSE = "pages of receipts that load themselves again";
/** Interval at which a page with an unfinished line reloads. */
export const REFRESH_S = 20;
/** Validity of a mark, long enough for slow phones. A later reload counts as a view. */
const LATEST_MS = 3 * REFRESH_S * SECOND;
const MARK = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})$/;
const MARK_BYTES = 16;

interface PageRefreshDeps {
  clock: Clock;
  keyFile: Pick<FileSealer, "derive">;
}

/**
 * Makes a mark for the address of an automatic reload, which must not count as a view. The mark is
 * valid for one link and a short time, so that a shared, stored or forged address counts as a view.
 * @returns undefined if there is no key
 */
function makeRefreshMark(
  tokenHash: string,
  { clock, keyFile }: PageRefreshDeps,
): string | undefined {
  const at = clock.now();
  const digest = digestMark(keyFile, tokenHash, at);
  return digest && `${at.toString(36)}.${digest.toString("base64url")}`;
}

function isRefresh(mark: string, tokenHash: string, { clock, keyFile }: PageRefreshDeps): boolean {
  const [, time = "", digest = ""] = MARK.exec(mark) ?? [];
  const at = Number.parseInt(time, 36);
  const age = clock.now() - at;
  if (!(age >= 0 && age <= LATEST_MS)) return false;
  const right = digestMark(keyFile, tokenHash, at);
  return right !== undefined && timingSafeEqual(right, Buffer.from(digest, "base64url"));
}

function digestMark(
  keyFile: Pick<FileSealer, "derive">,
  tokenHash: string,
  at: number,
): Buffer | undefined {
  const key = deriveKey(keyFile);
  if (!key) return undefined;
  const text = JSON.stringify([tokenHash, at]);
  return createHmac("sha256", key).update(text).digest().subarray(0, MARK_BYTES);
}

/** Does not create a key, because the page works without a key. */
function deriveKey(keyFile: Pick<FileSealer, "derive">): Buffer | undefined {
  try {
    return keyFile.derive(PURPOSE, { create: false })?.bytes;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
