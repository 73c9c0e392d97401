import type {
  PosBrand,
  PosEarlierSale,
  PosOffer,
  PosPhone,
  PosQuote,
  PosQuoteInput,
} from "../../contract/pos/counter.ts";
import type { Offer, TopupOffer } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { type Clock, toTimestamp } from "../../lib/clock.ts";
import { type CatalogService, quoteOffer } from "../catalog/index.ts";
import { formatPhoneNumber, type PhoneService } from "../phone-lookup/index.ts";
import { findPurchases, listPausedBrands, type StoredPurchase } from "../purchases/index.ts";
import { findSaleNumbers, listNewestLines, type SaleLineRow } from "./sale-store.ts";
import { outcomeOf } from "./sale-view.ts";

interface Parts {
  db: Db;
  catalog: CatalogService;
  phones: PhoneService;
  clock: Clock;
}

const EARLIER_LIMIT = 5;
const RECENTS_LIMIT = 8;
/** Lines looked through for the recents: a number sold to often counts once. */
const RECENTS_DEPTH = 60;

const SUBTYPE_ORDER = ["Mobile Top Up", "Mobile Bundle", "Mobile Data"];

/** What the counter shows before a sale: numbers, brands, offers and exact amounts. */
export class CounterService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What is known of a number while it is typed. */
  async describePhone(scope: Scope, typed: string): Promise<PosPhone> {
    const { db, catalog, phones } = this.#parts;
    const phone = phones.describe(typed, scope.environment);
    const { offers, brands } = await catalog.getSnapshot(scope);
    const codes = new Set(
      offers
        .filter(
          (offer) =>
            offer.productType === "TOPUP" && offer.enabled && offer.country === phone.country,
        )
        .map((offer) => offer.brand),
    );
    const paused = new Map(
      (await listPausedBrands(db, scope)).map((state) => [state.brand, state.pausedSince]),
    );
    const sold = [...codes].map((code) => {
      const since = paused.get(code);
      const brand = toPosBrand(code, brands.get(code));
      return { ...brand, ...(since !== undefined && { pausedSince: toTimestamp(since) }) };
    });
    const { carrier } = phone;
    const soldCarrier = sold.find(({ brand }) => brand === carrier?.brand);
    const lines = phone.valid
      ? await listNewestLines(db, scope, { recipient: phone.number, limit: EARLIER_LIMIT })
      : [];
    return {
      number: phone.number,
      formatted: phone.formatted,
      valid: phone.valid,
      country: phone.country,
      ...(carrier && {
        detected: {
          brand: soldCarrier?.brand ?? "",
          brandName: soldCarrier?.brandName ?? carrier.name,
        },
      }),
      brands: sold.sort((a, b) => a.brandName.localeCompare(b.brandName)),
      earlier: await this.#viewEarlier(scope, lines),
    };
  }

  /** Enabled offers of one brand in one country: by subtype, then price, RANGE last. */
  async listOffers(scope: Scope, filter: { country: string; brand: string }): Promise<PosOffer[]> {
    const { offers } = await this.#parts.catalog.getSnapshot(scope);
    return offers
      .filter(
        (offer): offer is TopupOffer =>
          offer.productType === "TOPUP" &&
          offer.enabled &&
          offer.country === filter.country &&
          offer.brand === filter.brand,
      )
      .map(toPosOffer)
      .sort(
        (a, b) =>
          SUBTYPE_ORDER.indexOf(a.subType) - SUBTYPE_ORDER.indexOf(b.subType) ||
          (a.price.fixed ?? Infinity) - (b.price.fixed ?? Infinity) ||
          a.offerId.localeCompare(b.offerId),
      );
  }

  /**
   * The exact amounts of an offer, for a RANGE offer at a value.
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED, VALUE_REQUIRED, VALUE_NOT_ALLOWED,
   *   VALUE_OUT_OF_RANGE
   */
  async quote(scope: Scope, { offerId, value }: PosQuoteInput): Promise<PosQuote> {
    const offer = await this.#parts.catalog.getOfferForSale(scope, "TOPUP", offerId);
    const quote = quoteOffer(offer, value);
    return {
      offerId,
      ...(value && { value }),
      price: quote.priceBase + quote.priceFee,
      priceFee: quote.priceFee,
      priceCurrency: offer.price.currency,
      priceCurrencyDivisor: offer.price.currencyDivisor,
      send: quote.send,
      sendCurrency: offer.send.currency,
      sendCurrencyDivisor: offer.send.currencyDivisor,
    };
  }

  /** The last numbers sold to, one entry a number, newest first. */
  async listRecents(scope: Scope): Promise<PosEarlierSale[]> {
    const lines = await listNewestLines(this.#parts.db, scope, { limit: RECENTS_DEPTH });
    const newest = new Map<string, SaleLineRow>();
    for (const line of lines) {
      if (!newest.has(line.recipient)) newest.set(line.recipient, line);
    }
    return this.#viewEarlier(scope, [...newest.values()].slice(0, RECENTS_LIMIT));
  }

  /** Earlier sales that can be sold again, at what they cost today. */
  async #viewEarlier(scope: Scope, lines: SaleLineRow[]): Promise<PosEarlierSale[]> {
    const { db, catalog, clock } = this.#parts;
    const saleIds = lines.map((line) => line.sale_id);
    const saleNumbers = await findSaleNumbers(db, scope, saleIds);
    const ids = lines.map((line) => line.transaction_id);
    const purchases = await findPurchases(db, scope, ids);
    const byId = new Map(purchases.map((p) => [p.transaction.transactionId, p]));
    const { offersById, brands } = await catalog.getSnapshot(scope);
    return lines.flatMap((line) => {
      const purchase = byId.get(line.transaction_id);
      const offer = purchase && offersById.get(purchase.offer.offerId);
      if (!purchase || !offer?.enabled) return [];
      const quote = findQuote(offer, purchase);
      if (!quote) return [];
      const { brandColor } = toPosBrand(offer.brand, brands.get(offer.brand));
      return {
        saleId: line.sale_id,
        saleNumber: saleNumbers.get(line.sale_id) ?? 0,
        outcome: outcomeOf(purchase, clock.now()),
        soldAt: toTimestamp(line.created_at),
        recipientPhoneNumber: line.recipient,
        recipientFormatted: formatPhoneNumber(line.recipient),
        country: offer.country,
        offerId: offer.offerId,
        brand: offer.brand,
        brandName: offer.brandName,
        brandColor,
        title: offer.shortNotes,
        ...(purchase.value && { value: purchase.value }),
        price: quote.priceBase + quote.priceFee,
        priceCurrency: offer.price.currency,
        priceCurrencyDivisor: offer.price.currencyDivisor,
      };
    });
  }
}

/** What the same would cost today; undefined when it is not sold that way any more. */
function findQuote(offer: Offer, purchase: StoredPurchase) {
  try {
    return quoteOffer(offer, purchase.value);
  } catch {
    return undefined;
  }
}

function toPosBrand(
  code: string,
  detail: { brandName: string; brandColor: string } | undefined,
): PosBrand {
  return {
    brand: code,
    brandName: detail?.brandName ?? code,
    brandColor: detail?.brandColor ?? "",
  };
}

function toPosOffer(offer: TopupOffer): PosOffer {
  const { price, send } = offer;
  const { currency, currencyDivisor, fixed, min, max, increment, fee } = price;
  return {
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    country: offer.country,
    title: offer.shortNotes,
    notes: offer.notes,
    subType: offer.subTypes[0] ?? "Mobile Top Up",
    priceType: offer.priceType,
    price: {
      currency,
      currencyDivisor,
      fee,
      ...(fixed !== undefined && { fixed }),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(increment !== undefined && { increment }),
    },
    send: {
      currency: send.currency,
      currencyDivisor: send.currencyDivisor,
      ...(send.fixed !== undefined && { fixed: send.fixed }),
      ...(send.min !== undefined && { min: send.min }),
      ...(send.max !== undefined && { max: send.max }),
    },
    dataGB: offer.dataGB,
    dataUnlimited: offer.dataUnlimited,
    durationDays: offer.durationDays,
    smsNumber: offer.smsNumber,
    smsUnlimited: offer.smsUnlimited,
    voiceMinutes: offer.voiceMinutes,
    voiceUnlimited: offer.voiceUnlimited,
  };
}
