import { sql } from "kysely";
import type { Actor } from "../../../contract/pos/actor.ts";
import type { PosBrand, PosBrandQuery, PosBrandTile } from "../../../contract/pos/brands.ts";
import type {
  PosBill,
  PosBillInput,
  PosEarlierSale,
  PosPhone,
  PosQuote,
  PosQuoteInput,
} from "../../../contract/pos/counter.ts";
import type { EsimDestinations, PosEsim } from "../../../contract/pos/esims.ts";
import type { Family } from "../../../contract/pos/families.ts";
import type { PosOffer, PosOfferQuery } from "../../../contract/pos/offers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import {
  type CatalogService,
  type CatalogSnapshot,
  sendUnitOf,
} from "../../catalog/catalog/index.ts";
import { CounterCatalog, priceAtCounter } from "../../catalog/counter-catalog/index.ts";
import {
  formatPhoneNumber,
  type PhoneDescription,
  type PhoneService,
} from "../../catalog/phone-lookup/index.ts";
import type { Base } from "../../module.ts";
import type { BillService } from "../../purchases/billpay/index.ts";
import { type EsimService, findEsim } from "../../purchases/esims/index.ts";
import {
  findPurchases,
  listPausedBrands,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { findCarrier, findFavouriteNames } from "../customers/index.ts";
import {
  findSalesByTransaction,
  getOutcome,
  linesWithClerks,
  type SalesScope,
  startOfToday,
} from "../sales/index.ts";

interface CounterServiceDeps extends Pick<Base, "db" | "clock"> {
  bills: BillService;
  catalog: CatalogService;
  esims: EsimService;
  phones: PhoneService;
  shop: ShopService;
}

const EARLIER_LIMIT = 5;
const RECENTS_LIMIT = 8;
const RECENTS_DEPTH = 60;
const OWN_RECENTS_MS = 30 * DAY;

export class CounterService {
  readonly #deps: CounterServiceDeps;

  constructor(deps: CounterServiceDeps) {
    this.#deps = deps;
  }

  /** Describes a typed number, even while it is incomplete (rules#topup-local-number). */
  async describePhone(scope: SalesScope, typed: string): Promise<PosPhone> {
    const { phones, shop } = this.#deps;
    const home = (await shop.find(scope.accountId))?.country ?? "";
    const readings = phones.read(typed, home, scope.environment);
    const { international, local, beginsWithOwnCode, repaired } = readings;
    return chooseNumber({
      written: await this.#describe(scope, international),
      meant: local && (await this.#describe(scope, local)),
      beginsWithOwnCode,
      repaired: repaired && (await this.#describe(scope, repaired)),
    });
  }

  async #describe(scope: SalesScope, phone: PhoneDescription): Promise<PosPhone> {
    const { db } = this.#deps;
    const { country, mobile } = phone;
    const carrier = mobile ? phone.carrier : undefined;
    const brands = mobile ? await this.listBrands(scope, { productType: "TOPUP", country }) : [];
    const remembered = phone.valid ? await findCarrier(db, scope, phone.number) : undefined;
    const soldRemembered = brands.find(({ brand }) => brand === remembered);
    const soldCarrier = brands.find(({ brand }) => brand === carrier?.brand);
    const favourite = (await findFavouriteNames(db, scope, [phone.number])).get(phone.number);
    const lines = phone.valid ? await this.#listSoldTo(scope, phone.number) : [];
    return {
      number: phone.number,
      formatted: phone.formatted,
      valid: phone.valid,
      mobile,
      country,
      ...(carrier && {
        detected: {
          brand: soldCarrier?.brand ?? "",
          brandName: soldCarrier?.brandName ?? carrier.name,
        },
      }),
      ...(soldRemembered && {
        detected: {
          brand: soldRemembered.brand,
          brandName: soldRemembered.brandName,
          remembered: true,
          ...(carrier &&
            carrier.brand !== soldRemembered.brand && {
              looksLike: soldCarrier?.brandName ?? carrier.name,
            }),
        },
      }),
      ...(favourite !== undefined && { favourite }),
      brands,
      earlier: await this.#viewEarlier(scope, lines),
    };
  }

  async listBrands(scope: SalesScope, query: PosBrandQuery): Promise<PosBrandTile[]> {
    const { productType, country } = query;
    if (country === "") return [];
    const catalog = await this.#getCatalog(scope);
    const pauses = await findPauses(this.#deps.db, scope);
    return catalog
      .listBrands(productType, country)
      .map((brand) => ({ ...brand, ...pauses.get(brand.brand) }));
  }

  /**
   * Lists offers by price, with RANGE offers last. Top-ups are first ordered by subtype.
   * @throws Problem INVALID_REQUEST if neither a brand nor a place is given
   */
  async listOffers(scope: SalesScope, query: PosOfferQuery): Promise<readonly PosOffer[]> {
    const { country, region, brand } = query;
    if (country === undefined && region === undefined && brand === undefined) {
      throw new Problem("INVALID_REQUEST", "Ask for the offers of a country or a brand.", {
        country: "is required where no brand or region is",
      });
    }
    return (await this.#getCatalog(scope)).list(query);
  }

  /**
   * Calculates the price and the delivered amount. A RANGE offer needs a value.
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED, VALUE_REQUIRED, VALUE_NOT_ALLOWED,
   * VALUE_OUT_OF_RANGE
   */
  async quote(scope: SalesScope, { offerId, value }: PosQuoteInput): Promise<PosQuote> {
    const { catalog } = this.#deps;
    const asked = await catalog.getAnyOfferForSale(scope, offerId);
    const { offer, quote } = priceAtCounter(await catalog.getSnapshot(scope), asked, value);
    const sendUnit = sendUnitOf(offer);
    return {
      offerId: offer.offerId,
      ...(value && { value }),
      price: quote.priceBase + quote.priceFee,
      priceFee: quote.priceFee,
      priceCurrency: offer.price.currency,
      priceCurrencyDivisor: offer.price.currencyDivisor,
      send: quote.send,
      sendCurrency: sendUnit.currency,
      sendCurrencyDivisor: sendUnit.currencyDivisor,
    };
  }

  /**
   * Lists each recent number once, newest first. Without the permission for expected cash, a
   * reader gets only numbers of the reader's own recent sales and of the shop's sales today.
   */
  async listRecents(reader: Actor): Promise<PosEarlierSale[]> {
    const { db, shop, clock } = this.#deps;
    const newest = new Map<string, SoldLine>();
    const today = startOfToday(clock.now(), await shop.get(reader.accountId));
    const wanted = { productType: "TOPUP", limit: RECENTS_DEPTH } as const;
    const own = { staffId: reader.staffId, since: today - OWN_RECENTS_MS };
    const lines = reader.rights.seeExpectedCash
      ? await listSoldLines(db, reader, wanted)
      : [
          ...(await listSoldLines(db, reader, { ...wanted, since: today })),
          ...(await listOwnLines(db, reader, { ...wanted, ...own })),
        ].toSorted((one, other) => other.soldAt - one.soldAt);
    for (const line of lines) {
      if (!newest.has(line.recipient)) newest.set(line.recipient, line);
    }
    return this.#viewEarlier(reader, [...newest.values()].slice(0, RECENTS_LIMIT));
  }

  /** Finds each recipient's last top-up, if it can still be sold. */
  async findLastSales(
    scope: SalesScope,
    recipients: readonly string[],
  ): Promise<Map<string, PosEarlierSale>> {
    const filter = { productType: "TOPUP", recipients } as const;
    const lines = await findLastSoldLines(this.#deps.db, scope, filter);
    const earlier = await this.#viewEarlier(scope, lines);
    return new Map(earlier.map((sale) => [sale.recipientPhoneNumber, sale]));
  }

  async #getCatalog(scope: SalesScope): Promise<CounterCatalog> {
    return CounterCatalog.of(await this.#deps.catalog.getSnapshot(scope));
  }

  #listSoldTo(scope: SalesScope, recipient: string): Promise<SoldLine[]> {
    const filter = { productType: "TOPUP", limit: EARLIER_LIMIT, recipient } as const;
    return listSoldLines(this.#deps.db, scope, filter);
  }

  /**
   * Returns top-ups that can be sold again, at today's price. Only mobile numbers and numbers with
   * a delivered top-up qualify.
   */
  async #viewEarlier(scope: SalesScope, lines: readonly SoldLine[]): Promise<PosEarlierSale[]> {
    const { db, catalog, clock, phones } = this.#deps;
    const ids = lines.map((line) => line.transactionId);
    const purchases = await findPurchases(db, scope, ids);
    const byId = new Map(purchases.map((p) => [p.transaction.transactionId, p]));
    const snapshot = await catalog.getSnapshot(scope);
    const numbers = lines.map((line) => line.recipient);
    const names = await findFavouriteNames(db, scope, numbers);
    return lines.flatMap((line) => {
      const purchase = byId.get(line.transactionId);
      const offer = purchase && snapshot.get(purchase.offer.offerId);
      if (!purchase || !offer?.enabled) return [];
      const quote = findQuote(snapshot, offer, purchase);
      if (!quote) return [];
      const outcome = getOutcome(purchase, clock.now());
      const { mobile } = phones.describe(line.recipient, scope.environment);
      if (!mobile && outcome !== "DELIVERED") return [];
      const favourite = names.get(line.recipient);
      return {
        saleId: line.saleId,
        saleNumber: line.saleNumber,
        outcome,
        soldAt: toTimestamp(line.soldAt),
        recipientPhoneNumber: line.recipient,
        recipientFormatted: formatPhoneNumber(line.recipient),
        country: offer.country,
        offerId: offer.offerId,
        ...CounterCatalog.of(snapshot).brandOf(offer.brand),
        title: offer.shortNotes,
        ...(favourite !== undefined && { favourite }),
        ...(purchase.value && { value: purchase.value }),
        price: quote.priceBase + quote.priceFee,
        priceCurrency: offer.price.currency,
        priceCurrencyDivisor: offer.price.currencyDivisor,
      };
    });
  }

  /**
   * Retrieves the due amount, with which a later payment is compared (rules#bill-exact-payment).
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED, REQUIRED_FIELD_MISSING naming the field,
   * BILL_NOT_FOUND, SYSTEM_UNAVAILABLE if the provider does not respond
   */
  async retrieveBill(scope: Scope, { offerId, fields }: PosBillInput): Promise<PosBill> {
    const { catalog, bills } = this.#deps;
    const { priceType } = await catalog.getOfferForSale(scope, "BILL_PAY", offerId);
    const twice = fields.findIndex(
      ({ key }, index) => fields.findIndex((field) => field.key === key) < index,
    );
    if (twice >= 0) {
      throw new Problem("INVALID_REQUEST", "A field is given twice.", {
        [`fields.${twice}.key`]: "is given already",
      });
    }
    const given = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
    const bill = await bills.retrieve(scope, offerId, given);
    return {
      offerId,
      ...(priceType === "RANGE" && { value: { type: "ZEND" as const, value: bill.send } }),
      send: bill.send,
      sendCurrency: bill.sendCurrency,
      sendCurrencyDivisor: bill.sendCurrencyDivisor,
      price: bill.price + bill.priceFee,
      priceFee: bill.priceFee,
      priceCurrency: bill.priceCurrency,
      priceCurrencyDivisor: bill.priceCurrencyDivisor,
      retrievedAt: bill.createdAt,
    };
  }

  async listEsimDestinations(scope: SalesScope): Promise<EsimDestinations> {
    const { catalog, shop } = this.#deps;
    const unit = await shop.get(scope.accountId);
    return CounterCatalog.of(await catalog.getSnapshot(scope)).listDestinations(unit);
  }

  /**
   * @throws Problem ICCID_NOT_FOUND if the shop did not sell the eSIM, SYSTEM_UNAVAILABLE if the
   * provider does not respond
   */
  async findEsim(scope: SalesScope, iccid: string): Promise<PosEsim> {
    const { db, esims } = this.#deps;
    const known = await findEsim(db, scope, iccid);
    const [purchase] = known ? await findPurchases(db, scope, [known.transactionId]) : [];
    if (!purchase || purchase.transaction.training !== scope.training) {
      throw new Problem("ICCID_NOT_FOUND", `The eSIM ${iccid} was not sold here.`, {
        iccid: "was not sold here",
      });
    }
    const { transaction, offer } = purchase;
    const { transactionId } = transaction;
    const sale = (await findSalesByTransaction(db, scope, [transactionId])).get(transactionId);
    const { plans, firstInstalledAt } = await esims.getPlans(scope, iccid);
    return {
      iccid,
      brand: offer.brand,
      brandName: offer.brandName,
      offerId: offer.offerId,
      title: offer.shortNotes,
      country: offer.country,
      soldAt: toTimestamp(transaction.createdAt),
      ...(sale && { sale }),
      firstInstalledAt: firstInstalledAt === undefined ? "" : toTimestamp(firstInstalledAt),
      plans,
    };
  }
}

function findQuote(snapshot: CatalogSnapshot, offer: Offer, purchase: StoredPurchase) {
  try {
    return priceAtCounter(snapshot, offer, purchase.value).quote;
  } catch {
    return undefined;
  }
}

interface NumberReadings {
  written: PosPhone;
  /** The number with the shop's country code, if typed without a country code. */
  meant: PosPhone | undefined;
  /** The digits start with the shop's calling code: the number may be unfinished. */
  beginsWithOwnCode: boolean;
  /** A valid number that results from a small correction of the invalid digits. */
  repaired: PosPhone | undefined;
}

/**
 * Chooses between two possible numbers if the shop knows exactly one of them. Otherwise the clerk
 * picks from `choices` (rules#topup-local-number). `choices` omits numbers that take no top-ups.
 */
function chooseNumber({ written, meant, beginsWithOwnCode, repaired }: NumberReadings): PosPhone {
  if (!meant) {
    const isOffered = repaired && takesTopups(repaired);
    return isOffered ? { ...written, choices: [repaired], isRepaired: true } : written;
  }
  if (!written.valid && !beginsWithOwnCode) return meant;
  if (!takesTopups(meant)) return takesTopups(written) || !written.valid ? written : meant;
  if (written.valid && !takesTopups(written)) return meant;
  const choices = written.valid ? [meant, written] : [meant];
  const [known, another] = choices.filter(isKnown);
  if (known && !another) return { ...known, choices };
  if (!written.valid) return { ...written, choices };
  const { number, formatted } = written;
  const unknown = { valid: false, mobile: true, country: "", brands: [], earlier: [] };
  return { number, formatted, ...unknown, choices };
}

function takesTopups(phone: PosPhone): boolean {
  return phone.valid && (phone.mobile || phone.earlier.length > 0);
}

/** Ignores failed sales, because their number may have been a mistake. */
function isKnown({ favourite, earlier }: PosPhone): boolean {
  return favourite !== undefined || earlier.some(({ outcome }) => outcome !== "NOT_DELIVERED");
}

type Pause = Pick<PosBrand, "pausedSince" | "pausedByHand">;

export async function findPauses(db: Db, scope: Scope): Promise<ReadonlyMap<string, Pause>> {
  const states = await listPausedBrands(db, scope);
  return new Map(
    states.map(({ brand, pausedSince, pausedByHand }) => [
      brand,
      { pausedSince: toTimestamp(pausedSince), ...(pausedByHand && { pausedByHand }) },
    ]),
  );
}

interface SoldLine {
  saleId: string;
  saleNumber: number;
  clerk: string;
  transactionId: string;
  recipient: string;
  soldAt: number;
}

export async function listSoldLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: {
    productType: Family;
    recipient?: string;
    since?: number;
    limit: number;
  },
): Promise<SoldLine[]> {
  const { productType, recipient, since, limit } = filter;
  let query = soldLines(db, scope).where("l.product_type", "=", productType);
  if (recipient !== undefined) query = query.where("l.recipient", "=", recipient);
  if (since !== undefined) query = query.where("l.created_at", ">=", since);
  return query.orderBy("l.created_at", "desc").limit(limit).execute();
}

async function listOwnLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: { productType: Family; staffId: string; since: number; limit: number },
): Promise<SoldLine[]> {
  return (
    soldLines(db, scope)
      .where("s.staff_id", "=", filter.staffId)
      .where("s.created_at", ">=", filter.since)
      // Prevents the index by family, with which SQLite would read the lines of all people.
      .where(sql<boolean>`${withoutIndex}l.product_type = ${filter.productType}`)
      .orderBy("s.created_at", "desc")
      .limit(filter.limit)
      .execute()
  );
}

/** Omits recipients without a line. */
async function findLastSoldLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: { productType: Family; recipients: readonly string[] },
): Promise<SoldLine[]> {
  const { productType, recipients } = filter;
  const lines: SoldLine[] = [];
  for (const recipient of new Set(recipients)) {
    lines.push(...(await listSoldLines(db, scope, { productType, recipient, limit: 1 })));
  }
  return lines;
}

function soldLines(db: Db | Tx, scope: SalesScope) {
  return linesWithClerks(db, scope).select([
    "l.sale_id as saleId",
    "s.sale_number as saleNumber",
    "c.name as clerk",
    "l.transaction_id as transactionId",
    "l.recipient as recipient",
    "l.created_at as soldAt",
  ]);
}
