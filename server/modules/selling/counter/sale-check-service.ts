import { RECENT_SALE_MS, rankEarlier } from "../../../contract/pos/outcome.ts";
import type { WantedLine } from "../../../contract/pos/sale-lines.ts";
import type {
  CheckedLine,
  SaleCheck,
  SaleCheckInput,
  SoldEarlier,
} from "../../../contract/pos/sales.ts";
import { Problem } from "../../../contract/problem.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { type CatalogService, sendUnitOf } from "../../catalog/catalog/index.ts";
import { formatPhoneNumber } from "../../catalog/phone-lookup/index.ts";
import type { Base } from "../../module.ts";
import { findPurchases, type PurchaseService } from "../../purchases/purchases/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import {
  asksNumber,
  getOutcome,
  getRecipient,
  type PreparedPurchase,
  prepareLine,
  type SalesScope,
} from "../sales/index.ts";
import { findPauses, listSoldLines } from "./counter-service.ts";
import type { PromoCounterService } from "./promo-counter-service.ts";

interface SaleCheckServiceDeps extends Pick<Base, "db" | "clock"> {
  purchases: PurchaseService;
  catalog: CatalogService;
  promoCounter: PromoCounterService;
  shop: ShopService;
}

const DEPTH = 50;

export class SaleCheckService {
  readonly #deps: SaleCheckServiceDeps;

  constructor(deps: SaleCheckServiceDeps) {
    this.#deps = deps;
  }

  async check(scope: SalesScope, { lines, language }: SaleCheckInput): Promise<SaleCheck> {
    const pauses = await findPauses(this.#deps.db, scope);
    const checked: CheckedLine[] = [];
    for (const line of lines) checked.push(await this.#checkLine(scope, line, pauses, language));
    return { lines: checked };
  }

  async #checkLine(
    scope: SalesScope,
    line: WantedLine,
    pauses: Awaited<ReturnType<typeof findPauses>>,
    language: string | undefined,
  ): Promise<CheckedLine> {
    const { promoCounter } = this.#deps;
    let purchase: PreparedPurchase;
    try {
      purchase = await prepareLine(this.#deps, scope, { ...line, transactionId: "check" });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { errorCode, message, fields } = error;
      return { promos: [], problem: { errorCode, message, fields } };
    }
    const { offer, quote } = purchase;
    const sendUnit = sendUnitOf(offer);
    const { confirmNumber } = await this.#deps.shop.get(scope.accountId);
    const asks = await asksNumber(this.#deps.db, scope, confirmNumber, line);
    const earlier = await this.#findEarlier(scope, line, purchase);
    return {
      price: quote.priceBase + quote.priceFee,
      priceCurrency: offer.price.currency,
      priceCurrencyDivisor: offer.price.currencyDivisor,
      send: quote.send,
      sendCurrency: sendUnit.currency,
      sendCurrencyDivisor: sendUnit.currencyDivisor,
      ...(earlier && { earlier }),
      ...(asks && { asksNumber: true }),
      ...pauses.get(offer.brand),
      promos: await promoCounter.listFor(scope, offer, { send: quote.send, language }),
    };
  }

  /**
   * Finds an earlier sale: an unfinished sale of any age, else a recent sale of the same offer,
   * else the newest recent sale. If the line has no recipient, only a sale of the same offer counts
   * (rules#sale-earlier-same).
   */
  async #findEarlier(
    scope: SalesScope,
    line: WantedLine,
    wanted: PreparedPurchase,
  ): Promise<SoldEarlier | undefined> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const recipient = getRecipient(line, wanted);
    const { productType } = line;
    const hasRecipient = recipient !== "";
    const recipientFormatted = formatPhoneNumber(recipient);
    const sold = await listSoldLines(db, scope, {
      productType,
      recipient,
      ...(!hasRecipient && { since: now - RECENT_SALE_MS }),
      limit: DEPTH,
    });
    const ids = sold.map(({ transactionId }) => transactionId);
    const purchases = new Map(
      (await findPurchases(db, scope, ids)).map((one) => [one.transaction.transactionId, one]),
    );
    const known = sold.flatMap(({ transactionId, soldAt, saleId, saleNumber, clerk }) => {
      const purchase = purchases.get(transactionId);
      if (!purchase) return [];
      const { offer, quote } = purchase;
      const isAlike = offer.offerId === wanted.offer.offerId && quote.send === wanted.quote.send;
      const outcome = getOutcome(purchase, now);
      const ranked = rankEarlier({ outcome, isAlike, age: now - soldAt });
      if (!ranked || (!hasRecipient && !isAlike)) return [];
      const { rank, same } = ranked;
      const sale = { saleId, saleNumber, soldAt: toTimestamp(soldAt), clerk };
      return [{ rank, said: { ...sale, outcome, same, recipientFormatted } }];
    });
    // The list is newest first, and the stable sort keeps this order within a rank.
    return known.sort((a, b) => a.rank - b.rank)[0]?.said;
  }
}
