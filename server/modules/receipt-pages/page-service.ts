import type { SaleLine } from "../../contract/pos/sale-lines.ts";
import type { Sale } from "../../contract/pos/sales.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { Db } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import type { Clock } from "../../lib/clock.ts";
import { GuessCounter } from "../../lib/guess-counter.ts";
import { recordAudit } from "../audit-trail/index.ts";
import { factsOfSale, type SaleService } from "../sales/index.ts";
import type { Shop, ShopService } from "../shop/index.ts";
import { isOpen } from "./link-service.ts";
import { findLinkByHash, noteDetailsShown, noteView, type StoredLink } from "./link-store.ts";
import { hashOfToken, isToken } from "./link-token.ts";
import { readPageSettings } from "./page-settings.ts";

/** Wrong links that are looked up in a minute. */
const WRONG_LINKS = { ofOne: 30, ofAll: 600 };
/** What is shown in a minute: each view is written down. */
const PAGES = { ofOne: 120, ofAll: 3_000 };

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  sales: SaleService;
  shop: ShopService;
}

/** What a customer sees of a sale. */
export interface ReceiptPage {
  sale: Sale;
  shop: Shop;
  language: Language;
  expiresAt: number;
  /** The line whose PIN or code is shown, which the customer asked for. */
  shown: SaleLine | undefined;
}

/** Why there is no page. */
export type NoPage = { trouble: "NOT_FOUND" | "GONE" | "BUSY"; language: Language };

/** What is done at the page of a receipt. */
export type PageAct = { kind: "LOOK"; isAgain: boolean } | { kind: "SHOW"; position: number };

/** The pages of receipts, for everybody who has the link (rules#receipt-page). */
export class ReceiptPageService {
  readonly #deps: Deps;
  readonly #wrong: GuessCounter;
  readonly #pages: GuessCounter;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#wrong = new GuessCounter(deps.clock, WRONG_LINKS);
    this.#pages = new GuessCounter(deps.clock, PAGES);
  }

  /**
   * A guess counts before it is looked up, so that a source that guesses too often does not learn of a
   * right one.
   */
  async open(
    accountId: string,
    token: string,
    source: string,
    act: PageAct,
  ): Promise<ReceiptPage | NoPage> {
    const { db, clock, sales, shop: shops } = this.#deps;
    const shop = await shops.find(accountId);
    const language = shop?.language ?? "en";
    if (!this.#wrong.mayCome(source) || !this.#pages.mayCome(source)) {
      return { trouble: "BUSY", language };
    }
    const link = isToken(token) ? await findLinkByHash(db, hashOfToken(token)) : undefined;
    if (!link || !shop) {
      this.#wrong.count(source);
      return { trouble: "NOT_FOUND", language };
    }
    this.#pages.count(source);
    const { enabled } = await readPageSettings(db, link.accountId);
    if (!enabled || !isOpen(link, clock.now())) {
      return { trouble: "GONE", language: link.language };
    }
    const sale = await sales.getForCustomer(link, link.saleId, link.language);
    const shown = await this.#note(link, sale, act);
    return { sale, shop, language: link.language, expiresAt: link.expiresAt, shown };
  }

  /** Writes down what was seen, before it is shown. */
  async #note(link: StoredLink, sale: Sale, act: PageAct): Promise<SaleLine | undefined> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    if (act.kind === "LOOK") {
      if (!act.isAgain) await transactor.transact((tx) => noteView(tx, link, at));
      return undefined;
    }
    const line = sale.lines.find(({ position }) => position === act.position);
    if (line?.details !== "SHOWN") return undefined;
    await transactor.transact(async (tx) => {
      await noteDetailsShown(tx, link);
      const detail = {
        ...factsOfSale({ ...sale, lines: [line] }),
        environment: link.environment,
      };
      const entry = { accountId: link.accountId, subject: sale.saleId, detail, at };
      await recordAudit(tx, { ...entry, action: "receipt.page-details" });
    });
    return line;
  }
}
