import { RECENT_SALE_MS, rankEarlier } from "../../../contract/pos/outcome.ts";
import type { Rights } from "../../../contract/pos/rights.ts";
import type { WantedLine } from "../../../contract/pos/sale-lines.ts";
import type {
  CheckedLine,
  SaleCheck,
  SaleCheckInput,
  SoldEarlier,
} from "../../../contract/pos/sales.ts";
import type {
  PosWallet,
  WalletCheck,
  WalletCheckInput,
  WalletLevel,
} from "../../../contract/pos/wallet.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { DAY, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { getBalances, spentSince } from "../../books/wallet/index.ts";
import {
  type CatalogService,
  type PromoService,
  sendUnitOf,
  sumCost,
} from "../../catalog/catalog/index.ts";
import { CounterCatalog, priceAtCounter } from "../../catalog/counter-catalog/index.ts";
import { formatPhoneNumber, type PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { BillService } from "../../purchases/billpay/index.ts";
import type { EsimService } from "../../purchases/esims/index.ts";
import { findPurchases, type PurchaseService } from "../../purchases/purchases/index.ts";
import { readTerms, type ShopService } from "../../shop/shop/index.ts";
import {
  aboutInShop,
  asksNumber,
  findShort,
  getOutcome,
  getRecipient,
  type PreparedPurchase,
  prepareLine,
  type SalesScope,
} from "../sales/index.ts";
import { CounterService, findPauses, listSoldLines } from "./counter-service.ts";
import { PromoCounterService } from "./promo-counter-service.ts";

interface WalletReachDeps extends Pick<Base, "db" | "clock"> {
  catalog: CatalogService;
  shop: ShopService;
}

interface WalletReader extends SalesScope {
  rights: Pick<Rights, "seeExpectedCash">;
}

const AVERAGE_DAYS = 7;
/** Time for which a daily average is cached, because it changes slowly. */
const USUAL_DAY_MS = 10 * MINUTE;
/** A wallet that covers fewer usual top-ups than this is low (rules#wallet-low). */
const MIN_TOPUPS = 5;

/**
 * Checks the spendable balance before the customer is asked for money (rules#wallet-reach). The
 * sale repeats the check.
 */
class WalletReach {
  readonly #deps: WalletReachDeps;
  readonly #usualDays = new Map<string, { amount: number; at: number }>();

  constructor(deps: WalletReachDeps) {
    this.#deps = deps;
  }

  /** Includes figures only for readers with the permission for figures. */
  async view(looker: WalletReader): Promise<PosWallet> {
    const { db } = this.#deps;
    const { environment, training, rights } = looker;
    const catalog = CounterCatalog.of(await this.#deps.catalog.getSnapshot(looker));
    const balances = await getBalances(db, looker);
    const { available, held, currency, currencyDivisor } = balances;
    const level = training ? "enough" : await this.#getLevel(looker, catalog, available);
    return {
      environment,
      level,
      paysBelow: catalog.countPayable(training ? Number.POSITIVE_INFINITY : available),
      ...(level !== "enough" && {
        short: aboutInShop(balances, await readTerms(db, looker.accountId)),
      }),
      ...(rights.seeExpectedCash && { figures: { available, held, currency, currencyDivisor } }),
    };
  }

  /** Checks whether the balance covers the lines. Ignores lines without a price. */
  async check(scope: SalesScope, { lines }: WalletCheckInput): Promise<WalletCheck> {
    const { db, catalog } = this.#deps;
    if (scope.training) return {};
    const snapshot = await catalog.getSnapshot(scope);
    let cost = 0;
    for (const { offerId, value } of lines) {
      try {
        const offer = await catalog.getAnyOfferForSale(scope, offerId);
        cost += sumCost(priceAtCounter(snapshot, offer, value).quote);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
    const short = await findShort(db, scope, cost);
    return short ? { short } : {};
  }

  async #getLevel(scope: Scope, catalog: CounterCatalog, available: number): Promise<WalletLevel> {
    const country = (await this.#deps.shop.find(scope.accountId))?.country ?? "";
    const { least = 0, usual = 0 } = catalog.getUsualCosts(country) ?? {};
    if (available < Math.max(least, 1)) return "empty";
    const enough = Math.max(MIN_TOPUPS * usual, await this.#readUsualDay(scope));
    return available < enough ? "low" : "enough";
  }

  async #readUsualDay({ accountId, environment }: Scope): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const key = `${accountId} ${environment}`;
    const known = this.#usualDays.get(key);
    // Uses the absolute difference, because the clock may have been set back.
    if (known && Math.abs(now - known.at) < USUAL_DAY_MS) return known.amount;
    const spent = await spentSince(db, { accountId, environment }, now - AVERAGE_DAYS * DAY);
    const amount = Math.floor(spent / AVERAGE_DAYS);
    this.#usualDays.set(key, { amount, at: now });
    return amount;
  }
}

interface SaleCheckServiceDeps extends Pick<Base, "db" | "clock"> {
  purchases: PurchaseService;
  catalog: CatalogService;
  promoCounter: PromoCounterService;
  shop: ShopService;
}

const DEPTH = 50;

class SaleCheckService {
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

type CounterModuleDeps = Base & {
  bills: BillService;
  catalog: CatalogService;
  esims: EsimService;
  phones: PhoneService;
  promos: PromoService;
  purchases: PurchaseService;
  shop: ShopService;
};

export function createCounterModule(deps: CounterModuleDeps) {
  const promoCounter = new PromoCounterService(deps);
  const services = {
    counter: new CounterService(deps),
    promoCounter,
    saleChecks: new SaleCheckService({ ...deps, promoCounter }),
    walletReach: new WalletReach(deps),
  };
  return {
    services,
    pos: (app) => registerCounterRoutes(app, services),
  } satisfies Module;
}

interface CounterRoutesDeps {
  counter: CounterService;
  promoCounter: PromoCounterService;
  saleChecks: SaleCheckService;
  walletReach: WalletReach;
}

async function registerCounterRoutes(app: App, deps: CounterRoutesDeps): Promise<void> {
  const { counterOperations } = await import("../../../contract/pos/counter.ts");
  const { saleOperations } = await import("../../../contract/pos/sales.ts");
  const { counter, promoCounter, saleChecks, walletReach } = deps;

  handle(app, counterOperations.getWallet, ({ actor }) => walletReach.view(actor));

  handle(app, counterOperations.checkWallet, ({ actor, body }) => walletReach.check(actor, body));

  handle(app, counterOperations.describePhone, ({ actor, query }) =>
    counter.describePhone(actor, query.number),
  );

  handle(app, counterOperations.listRecents, async ({ actor }) => ({
    list: await counter.listRecents(actor),
  }));

  handle(app, counterOperations.listBrands, async ({ actor, query }) => ({
    list: await counter.listBrands(actor, query),
  }));

  handle(app, counterOperations.listOffers, async ({ actor, query }) => {
    const list = [...(await counter.listOffers(actor, query))];
    return { list, promos: await promoCounter.listOn(actor, list, query.language) };
  });

  handle(app, counterOperations.retrieveBill, ({ actor, body }) =>
    counter.retrieveBill(actor, body),
  );

  handle(app, counterOperations.quote, ({ actor, body }) => counter.quote(actor, body));

  handle(app, saleOperations.check, ({ actor, body }) => saleChecks.check(actor, body));

  handle(app, counterOperations.listEsimDestinations, ({ actor }) =>
    counter.listEsimDestinations(actor),
  );

  handle(app, counterOperations.findEsim, ({ actor, params }) =>
    counter.findEsim(actor, params.iccid),
  );
}
