import { type Clock, SECOND } from "../../lib/clock.ts";
import { currencyDivisor, Exact, isCurrency, toMinor } from "../../lib/money.ts";
import { CatalogDeviations } from "../catalog-deviations.ts";
import type { FieldReader } from "../field-reader.ts";
import type { BalanceAnswer, CatalogContext, FetchedCatalog, ProviderKind } from "../kind.ts";
import type { Provider, ProviderFault } from "../provider.ts";
import { type ProviderConnection, ProviderUnclear } from "../provider-call.ts";
import { readOperator } from "./operator-reading.ts";
import { ReloadlyCalls } from "./reloadly-call.ts";
import { ReloadlyProvider } from "./reloadly-provider.ts";

const TIMEOUT_MS = 60 * SECOND;
const LONGEST_PAGE_BYTES = 16 * 1024 * 1024;
const OPERATORS_PER_PAGE = 200;
const MAX_PAGES = 100;

/** Reloadly's airtime API (README.md). Preview: never run against the company's own service. */
export class ReloadlyKind implements ProviderKind {
  readonly #clock: Clock;
  readonly #calls: ReloadlyCalls;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#calls = new ReloadlyCalls(clock);
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
    const reader = await this.#calls.read(connection, {
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
    const page = await this.#readPage(connection, 1, 1);
    return page.items.length > 0;
  }

  /** Reads all operators. A catalog that cannot be read completely stays unchanged. */
  async readCatalog(
    connection: ProviderConnection,
    { wallet, noted }: CatalogContext,
  ): Promise<FetchedCatalog> {
    const deviations = new CatalogDeviations(noted);
    const byBrand = new Map<string, NonNullable<ReturnType<typeof readOperator>>>();
    for (let number = 1; number <= MAX_PAGES; number++) {
      const { items, isLast } = await this.#readPage(connection, number, OPERATORS_PER_PAGE);
      for (const item of items) {
        const operator = readOperator(item, { wallet, note: deviations.note });
        if (operator) byBrand.set(operator.brand.brand, operator);
      }
      if (isLast) break;
    }
    const operators = [...byBrand.values()];
    const brands = operators.map(({ brand }) => brand);
    const topups = operators.flatMap(({ offers }) => offers);
    const catalog = { brands, topups, vouchers: [], esim: [], billpay: [], promos: [] };
    return { catalog, unread: [], deviations: deviations.list() };
  }

  async #readPage(connection: ProviderConnection, page: number, size: number) {
    const query = new URLSearchParams({
      includeBundles: "false",
      includeData: "false",
      includePin: "false",
      size: String(size),
      page: String(page),
    });
    const reader = await this.#calls.readPatiently(connection, {
      method: "GET",
      path: `/operators?${query}`,
      priority: "CATALOG",
      timeout_ms: TIMEOUT_MS,
      longest_bytes: LONGEST_PAGE_BYTES,
    });
    // An empty list counts as absent. Only a page states whether it is the last.
    const isPage = reader.flag("last") !== undefined;
    const items = reader.raw("content") ?? (isPage ? [] : undefined);
    if (!Array.isArray(items)) {
      throw new ProviderUnclear("The answer is not what Reloadly answers: it has no operators.");
    }
    return { items: items as unknown[], isLast: reader.flag("last") ?? items.length < size };
  }
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
