import type {
  CheckedLine,
  SaleCheck,
  SaleCheckInput,
  Twin,
} from "../../contract/pos/sale-checks.ts";
import type { WantedLine } from "../../contract/pos/sale-lines.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { type Clock, MINUTE, toTimestamp } from "../../lib/clock.ts";
import { sendUnitOf } from "../catalog/index.ts";
import { formatPhoneNumber } from "../phone-lookup/index.ts";
import { findPurchases, listPausedBrands, type PurchaseService } from "../purchases/index.ts";
import { outcomeOf } from "./line-view.ts";
import type { PromoCounterService } from "./promo-counter-service.ts";
import { listSoldLines } from "./sold-line-store.ts";
import { type PreparedPurchase, prepareLine, recipientOf } from "./wanted-line.ts";

interface Parts {
  db: Db;
  clock: Clock;
  purchases: PurchaseService;
  promoCounter: PromoCounterService;
}

/** The same thing sold this recently may be the same customer's, by mistake. */
const TWIN_MS = 10 * MINUTE;
/** Lines looked through for a twin. */
const TWIN_DEPTH = 50;

/** What to know before money is taken. It only ever reads. */
export class SaleCheckService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Each line at today's price, or why it cannot be sold, with whatever the clerk should know. */
  async check(scope: Scope, { lines }: SaleCheckInput): Promise<SaleCheck> {
    const paused = new Map(
      (await listPausedBrands(this.#parts.db, scope)).map((state) => [
        state.brand,
        toTimestamp(state.pausedSince),
      ]),
    );
    const checked: CheckedLine[] = [];
    for (const line of lines) checked.push(await this.#checkLine(scope, line, paused));
    return { lines: checked };
  }

  async #checkLine(
    scope: Scope,
    line: WantedLine,
    paused: ReadonlyMap<string, string>,
  ): Promise<CheckedLine> {
    const { purchases, promoCounter } = this.#parts;
    let purchase: PreparedPurchase;
    try {
      purchase = await prepareLine(purchases, scope, { ...line, transactionId: "check" });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { errorCode, message, fields } = error;
      return { promos: [], problem: { errorCode, message, fields } };
    }
    const { offer, quote } = purchase;
    const sendUnit = sendUnitOf(offer);
    const twin = await this.#findTwin(scope, line, purchase);
    const pausedSince = paused.get(offer.brand);
    return {
      price: quote.priceBase + quote.priceFee,
      priceCurrency: offer.price.currency,
      priceCurrencyDivisor: offer.price.currencyDivisor,
      send: quote.send,
      sendCurrency: sendUnit.currency,
      sendCurrencyDivisor: sendUnit.currencyDivisor,
      ...(twin && { twin }),
      ...(pausedSince !== undefined && { pausedSince }),
      promos: await promoCounter.listFor(scope, offer, quote.send),
    };
  }

  /** The newest sale of the same, unless it failed: then it is right to sell it again. */
  async #findTwin(
    scope: Scope,
    line: WantedLine,
    wanted: PreparedPurchase,
  ): Promise<Twin | undefined> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const recipient = recipientOf(line, wanted);
    const { productType } = line;
    const since = now - TWIN_MS;
    const sold = await listSoldLines(db, scope, {
      productType,
      recipient,
      since,
      limit: TWIN_DEPTH,
    });
    const ids = sold.map(({ transactionId }) => transactionId);
    const alike = new Map(
      (await findPurchases(db, scope, ids))
        .filter(
          ({ offer, quote, transaction }) =>
            offer.offerId === wanted.offer.offerId &&
            quote.send === wanted.quote.send &&
            transaction.status !== "FAILED",
        )
        .map((purchase) => [purchase.transaction.transactionId, purchase]),
    );
    for (const { saleId, saleNumber, clerk, soldAt, transactionId } of sold) {
      const purchase = alike.get(transactionId);
      if (!purchase) continue;
      return {
        saleId,
        saleNumber,
        soldAt: toTimestamp(soldAt),
        soldMinutesAgo: Math.floor((now - soldAt) / MINUTE),
        clerk,
        outcome: outcomeOf(purchase, now),
        recipientFormatted: formatPhoneNumber(recipient),
      };
    }
    return undefined;
  }
}
