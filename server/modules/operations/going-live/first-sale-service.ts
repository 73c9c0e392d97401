import type { Author } from "../../../contract/pos/actor.ts";
import type { FirstSaleInput, FirstSaleOffer } from "../../../contract/pos/till-environment.ts";
import { Problem } from "../../../contract/problem.ts";
import type { OfferOf } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { FIRST_PROVIDER, findSupply } from "../../../providers/supply.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { type CatalogService, getLowestCost } from "../../catalog/catalog/index.ts";
import { formatPhoneNumber, type PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base } from "../../module.ts";
import type { UpstreamService } from "../../providers/upstream/index.ts";
import {
  findPurchases,
  type PurchaseService,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import { requireWallet } from "../../selling/sales/index.ts";
import { findNote, writeNote } from "./going-live-store.ts";

interface FirstSaleServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  catalog: CatalogService;
  phones: PhoneService;
  purchases: PurchaseService;
  upstream: UpstreamService;
}

/**
 * Progress of the first sale. DIFFERS: it was delivered, but a wallet was charged a different
 * amount.
 */
interface FirstSaleProgress {
  state: "NONE" | "UNDER_WAY" | "FAILED" | "DIFFERS" | "GOOD";
  /** Amounts are in minor units of the wallet's currency. */
  figures: {
    brand?: string;
    recipient?: string;
    at?: string;
    cost?: number;
    currency?: string;
    currencyDivisor?: number;
    reason?: string;
    there?: number;
    here?: number;
  };
}

/**
 * Returns the progress. A delivered first sale counts if it was made through a connected provider
 * and both wallets were charged its cost (rules#live-first-sale).
 */
export async function readFirstSale(
  db: Db,
  upstream: Pick<UpstreamService, "list">,
  scope: Scope,
): Promise<FirstSaleProgress> {
  const note = await findNote(db, scope.accountId, "FIRST_SALE");
  if (!note) return { state: "NONE", figures: {} };
  const { transactionId, baseUrl, before, after } = note.detail;
  const [purchase] = await findPurchases(db, scope, [transactionId]);
  if (!purchase) return { state: "NONE", figures: {} };
  const all = await upstream.list(scope);
  const seller = all.find(({ providerId }) => providerId === sellerOf(purchase));
  const isReplaced =
    seller?.keySealed === undefined && all.some(({ keySealed }) => keySealed !== undefined);
  const isOther = seller !== undefined && seller.baseUrl !== baseUrl;
  if (isOther || isReplaced) return { state: "NONE", figures: {} };
  const { status, amount: cost, currency, currencyDivisor, error } = purchase.transaction;
  const figures = {
    brand: purchase.offer.brandName,
    recipient: formatPhoneNumber(purchase.recipient),
    at: toTimestamp(note.at),
    cost,
    currency,
    currencyDivisor,
  };
  if (status === "FAILED") {
    return { state: "FAILED", figures: { ...figures, reason: error?.message ?? "" } };
  }
  if (status !== "DONE" || !after) return { state: "UNDER_WAY", figures };
  const there = before.there - after.there;
  const here = before.here - after.here;
  const state = there === cost && here === cost ? "GOOD" : "DIFFERS";
  return { state, figures: { ...figures, there, here } };
}

/** Returns the id of the provider that delivers the purchase. */
function sellerOf({ supply }: Pick<StoredPurchase, "supply">): string {
  return supply?.providerId ?? FIRST_PROVIDER;
}

const BRANDS_OFFERED = 5;

/**
 * Makes the first live sale while the tills still sell in test: a real top-up of the owner's own
 * number from the live wallet. The balances of shop and provider are stored before and after it
 * (rules#live-first-sale).
 */
export class FirstSaleService {
  readonly #deps: FirstSaleServiceDeps;

  constructor(deps: FirstSaleServiceDeps) {
    this.#deps = deps;
  }

  /** Returns each brand's cheapest top-up in the number's country, the number's carrier first. */
  async listOffers(accountId: string, number: string): Promise<FirstSaleOffer[]> {
    const { catalog, phones } = this.#deps;
    const { country, carrier } = phones.describe(number, "live");
    const { offers } = await catalog.getSnapshot({ accountId, environment: "live" });
    const fitting = offers
      .filter((offer) => offer.productType === "TOPUP" && offer.enabled)
      .filter((offer) => offer.country === country)
      .toSorted((a, b) => getLowestCost(a) - getLowestCost(b));
    const byBrand = Map.groupBy(fitting, ({ brand }) => brand);
    return [...byBrand.values()]
      .flatMap((sorted) => sorted.slice(0, 1))
      .map((offer) => ({
        offerId: offer.offerId,
        brandName: offer.brandName,
        title: offer.shortNotes,
        cost: getLowestCost(offer),
        currency: offer.cost.currency,
        currencyDivisor: offer.cost.currencyDivisor,
        isOfCarrier: offer.brand === carrier?.brand,
      }))
      .toSorted((a, b) => Number(b.isOfCarrier) - Number(a.isOfCarrier))
      .slice(0, BRANDS_OFFERED);
  }

  /**
   * Buys the top-up; the caller has checked the PIN. A repeated transaction id buys nothing.
   * @throws Problem NOT_FOUND without a provider, INVALID_REQUEST while another first sale is
   * unfinished, WALLET_SHORT, and the problems of a purchase
   */
  async make(
    { accountId, staffId }: Author & { staffId: string },
    { transactionId, offerId, recipientPhoneNumber }: FirstSaleInput,
  ): Promise<void> {
    const { db, transactor, clock, purchases, upstream } = this.#deps;
    const scope = { accountId, environment: "live" } as const;
    const known = await findNote(db, accountId, "FIRST_SALE");
    if (known?.detail.transactionId === transactionId) return;
    if (known && (await this.#isUnderWay(scope, known.detail.transactionId))) throw underWay();
    const value = await this.#getValue(scope, offerId);
    const input = { transactionId, offerId, recipientPhoneNumber, ...(value && { value }) };
    const purchase = await purchases.prepare(scope, "TOPUP", input);
    const seller = { ...scope, providerId: sellerOf({ supply: findSupply(purchase.offer) }) };
    const { available, held, upstream: there } = await upstream.test(seller);
    const { stored } = await upstream.getStatus(seller);
    const cost = purchase.quote.costBase + purchase.quote.costFee;
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      // Another window may have started a first sale during the provider query.
      const now = await findNote(tx, accountId, "FIRST_SALE");
      if (now?.detail.transactionId !== known?.detail.transactionId) throw underWay();
      await requireWallet(tx, scope, cost);
      await purchases.create(tx, purchase);
      const before = { there, here: available + held };
      await writeNote(tx, accountId, "FIRST_SALE", {
        at,
        staffId,
        detail: { transactionId, baseUrl: stored?.baseUrl ?? "", before },
      });
      const entry = { accountId, staffId, action: "till.first-sale" as const, at };
      await recordAudit(tx, { ...entry, subject: transactionId, detail: { offerId, cost } });
    });
  }

  /** Stores the balances of shop and provider after the delivery, with a single provider query. */
  async note(accountId: string): Promise<void> {
    const { db, transactor, upstream } = this.#deps;
    const scope = { accountId, environment: "live" } as const;
    const noted = await findNote(db, accountId, "FIRST_SALE");
    if (!noted || noted.detail.after) return;
    const { transactionId } = noted.detail;
    const [purchase] = await findPurchases(db, scope, [transactionId]);
    if (purchase?.transaction.status !== "DONE") return;
    const seller = { ...scope, providerId: sellerOf(purchase) };
    if (!(await upstream.getStatus(seller)).connected) return;
    const { available, held, upstream: there } = await upstream.test(seller);
    await transactor.transact(accountId, async (tx) => {
      const still = await findNote(tx, accountId, "FIRST_SALE");
      if (still?.detail.transactionId !== transactionId) return;
      const after = { there, here: available + held };
      await writeNote(tx, accountId, "FIRST_SALE", {
        ...still,
        detail: { ...still.detail, after },
      });
    });
  }

  async #isUnderWay(scope: Scope, transactionId: string): Promise<boolean> {
    const [purchase] = await findPurchases(this.#deps.db, scope, [transactionId]);
    return purchase !== undefined && purchase.transaction.finishedAt === undefined;
  }

  /**
   * Returns the smallest value of a RANGE offer.
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED
   */
  async #getValue(scope: Scope, offerId: string) {
    const offer: OfferOf<"TOPUP"> = await this.#deps.catalog.getOfferForSale(
      scope,
      "TOPUP",
      offerId,
    );
    if (offer.priceType === "FIXED") return undefined;
    return { type: "COST" as const, value: offer.cost.min ?? 0 };
  }
}

function underWay(): Problem {
  return new Problem("INVALID_REQUEST", "The first sale is under way: wait for its outcome.", {
    transactionId: "must wait for the first sale that is under way",
  });
}
