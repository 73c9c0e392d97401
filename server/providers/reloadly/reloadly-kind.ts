import type { CatalogBrand } from "../../contract/catalog-content.ts";
import type { VoucherOffer } from "../../contract/v1/offers.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import { currencyDivisor, Exact, isCurrency, toMinor } from "../../lib/money.ts";
import { CatalogDeviations } from "../catalog-deviations.ts";
import type { FieldReader } from "../field-reader.ts";
import type {
  BalanceAnswer,
  CatalogContext,
  CatalogReading,
  FetchedCatalog,
  ProviderKind,
} from "../kind.ts";
import type { Provider, ProviderFault } from "../provider.ts";
import {
  type ProviderConnection,
  ProviderRefusal,
  ProviderUnclear,
  ProviderUnreached,
} from "../provider-call.ts";
import type { LimitContext } from "../provider-limit.ts";
import type { ReadingContext } from "./operator-reading.ts";
import { type ReloadlyApi, ReloadlyCalls, toGiftCardApi, toTopupApi } from "./reloadly-call.ts";
import { ReloadlyProvider } from "./reloadly-provider.ts";

const TIMEOUT_MS = 60 * SECOND;
const LONGEST_PAGE_BYTES = 16 * 1024 * 1024;
const ITEMS_PER_PAGE = 200;
const MAX_PAGES = 100;
interface ProductList {
  path: string;
  /** Name in an error message. */
  name: string;
  filter: Readonly<Record<string, string>>;
}

const OPERATORS: ProductList = {
  path: "/operators",
  name: "operators",
  filter: { includeBundles: "false", includeData: "false", includePin: "false" },
};
const PRODUCTS: ProductList = {
  path: "/products",
  name: "products",
  filter: { includeFixed: "true", includeRange: "true" },
};

/** Reloadly's airtime and gift card APIs (README.md). Preview: never run against the company's own service. */
export class ReloadlyKind implements ProviderKind {
  readonly #clock: Clock;
  readonly #calls: ReloadlyCalls;

  constructor(context: LimitContext) {
    this.#clock = context.clock;
    this.#calls = new ReloadlyCalls(context);
  }

  tidyUrl(typed: string): string {
    return typed;
  }

  isTest({ baseUrl }: ProviderConnection): boolean {
    return new URL(baseUrl).host.includes("sandbox");
  }

  open(connection: ProviderConnection, report: (fault: ProviderFault) => Promise<void>): Provider {
    return new ReloadlyProvider({ clock: this.#clock, calls: this.#calls, connection, report });
  }

  async queryBalance(connection: ProviderConnection): Promise<BalanceAnswer> {
    let date: string | string[] | undefined;
    const reader = await this.#calls.read(toTopupApi(connection), {
      method: "GET",
      path: "/accounts/balance",
      priority: "INQUIRY",
      timeout_ms: TIMEOUT_MS,
      onHeaders: (headers) => {
        date = headers.date;
      },
    });
    const theirs = Date.parse(String(date));
    const now = Math.floor(this.#clock.now() / SECOND) * SECOND;
    return {
      ...readBalance(reader),
      clockDifference_ms: Number.isNaN(theirs) ? undefined : theirs - now,
    };
  }

  async hasOffers(connection: ProviderConnection): Promise<boolean> {
    const first = { page: 1, size: 1 };
    const { items } = await this.#readPage(toTopupApi(connection), OPERATORS, first);
    if (items.length > 0) return true;
    const cards = await this.#readPage(toGiftCardApi(connection), PRODUCTS, first).catch(
      (error: unknown) => {
        if (isOfService(error)) return undefined;
        throw error;
      },
    );
    return cards !== undefined && cards.items.length > 0;
  }

  /**
   * Reads all operators, and all gift cards. If the operators cannot be read completely, the catalog
   * stays unchanged; if the gift cards cannot, the stored ones stay.
   */
  async readCatalog(
    connection: ProviderConnection,
    context: CatalogContext,
  ): Promise<FetchedCatalog> {
    const deviations = new CatalogDeviations(context.noted);
    const reading = { wallet: context.wallet, note: deviations.note };
    // A gateway's start reads less code.
    const { readOperator } = await import("./operator-reading.ts");
    const topups = new Map<string, NonNullable<ReturnType<typeof readOperator>>>();
    for await (const item of this.#readItems(toTopupApi(connection), OPERATORS)) {
      const operator = readOperator(item, reading);
      if (operator) topups.set(operator.brand.brand, operator);
    }
    const cards = await this.#readGiftCards(connection, context, reading);
    const catalog = {
      ...cards.catalog,
      brands: [...[...topups.values()].map(({ brand }) => brand), ...(cards.catalog.brands ?? [])],
      topups: [...topups.values()].flatMap(({ offers }) => offers),
      esim: [],
      billpay: [],
      promos: [],
    };
    return { catalog, unread: cards.unread, deviations: deviations.list() };
  }

  async #readGiftCards(
    connection: ProviderConnection,
    { readStored }: CatalogContext,
    reading: ReadingContext,
  ): Promise<CatalogReading> {
    const brands = new Map<string, CatalogBrand>();
    const vouchers = new Map<string, VoucherOffer>();
    const { readProduct } = await import("./gift-card-reading.ts");
    try {
      for await (const item of this.#readItems(toGiftCardApi(connection), PRODUCTS)) {
        const product = readProduct(item, reading);
        if (!product) continue;
        const brand = brands.get(product.brand.brand) ?? product.brand;
        brands.set(brand.brand, brand);
        for (const offer of product.offers) {
          vouchers.set(offer.offerId, { ...offer, brandName: brand.brandName });
        }
      }
    } catch (error) {
      if (!isOfService(error)) throw error;
      const stored = await readStored();
      const isUnused = stored.vouchers.length === 0 && isRefused(error);
      if (!isUnused) {
        const used = new Set(stored.vouchers.map(({ brand }) => brand));
        const kept = stored.brands.filter(({ brand }) => used.has(brand));
        return { catalog: { brands: kept }, unread: [{ part: "vouchers", reason: error.message }] };
      }
      // An account without gift cards is usual, and its top-ups are read as often as others.
      reading.note(`vouchers: the account has no gift cards. ${error.message}`);
      return { catalog: { brands: [], vouchers: [] }, unread: [] };
    }
    return {
      catalog: { brands: [...brands.values()], vouchers: [...vouchers.values()] },
      unread: [],
    };
  }

  async *#readItems(api: ReloadlyApi, list: ProductList) {
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { items, isLast } = await this.#readPage(api, list, { page, size: ITEMS_PER_PAGE });
      yield* items;
      if (isLast) return;
    }
  }

  async #readPage(
    api: ReloadlyApi,
    { path, name, filter }: ProductList,
    { page, size }: { page: number; size: number },
  ) {
    const query = new URLSearchParams({ ...filter, size: String(size), page: String(page) });
    const reader = await this.#calls.readPatiently(api, {
      method: "GET",
      path: `${path}?${query}`,
      priority: "CATALOG",
      timeout_ms: TIMEOUT_MS,
      longest_bytes: LONGEST_PAGE_BYTES,
    });
    // An empty list counts as absent. Only a page states whether it is the last.
    const isPage = reader.flag("last") !== undefined;
    const items = reader.raw("content") ?? (isPage ? [] : undefined);
    if (!Array.isArray(items)) {
      throw new ProviderUnclear(`The answer is not what Reloadly answers: it has no ${name}.`);
    }
    return { items: items as unknown[], isLast: reader.flag("last") ?? items.length < size };
  }
}

function isOfService(error: unknown): error is Error {
  return (
    error instanceof ProviderRefusal ||
    error instanceof ProviderUnclear ||
    error instanceof ProviderUnreached
  );
}

function isRefused(error: Error): boolean {
  return (
    error instanceof ProviderRefusal && ["NOT_AUTHORIZED", "FORBIDDEN"].includes(error.errorCode)
  );
}

/** The balance may have more decimals than its currency: they cannot be spent. */
function readBalance(reader: FieldReader): Pick<BalanceAnswer, "balance" | "noted"> {
  const code = reader.word("currencyCode");
  const currency = isCurrency(code) ? code : undefined;
  const stated = reader.number("balance");
  if (currency === undefined || stated === undefined) {
    const field = currency === undefined ? "currencyCode" : "balance";
    return { balance: { available: undefined, currency }, noted: [`balance: ${field} is missing`] };
  }
  const available = toMinor(new Exact(stated), currencyDivisor(currency), "down");
  return { balance: { available, currency }, noted: [] };
}
