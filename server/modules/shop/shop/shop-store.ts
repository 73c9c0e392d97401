import { getCountries, isSupportedCountry } from "libphonenumber-js/max";
import type { Environment } from "../../../contract/common.ts";
import type { ConfirmNumber } from "../../../contract/pos/number-check.ts";
import { ReceiptText } from "../../../contract/pos/receipt-text.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import { machineTimeZone, type TimeZone } from "../../../contract/pos/shop-day.ts";
import type { ShopLogo } from "../../../contract/pos/shop-logo.ts";
import type { ShopTender } from "../../../contract/pos/shop-tenders.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { DamagedRow, intactFlag } from "../../../db/checksums.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { PricingTerms } from "../../../lib/money.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import { toTenders } from "../shop-tenders/index.ts";

/** Currencies that other countries use besides the country in the currency's code. */
const SHARED_CURRENCIES = new Set(["USD", "AUD", "NZD", "GBP", "CHF", "DKK", "NOK", "ILS", "ZAR"]);

interface LocaleWithZones {
  getTimeZones?(): string[] | undefined;
}

/**
 * Returns the country of the currency's code. For shared currencies and codes without a country
 * (EUR, XOF), returns the time zone's country.
 * @returns ISO 3166-1 alpha-2; empty if unknown
 */
export function shopCountry(currency: string, timeZone: string): string {
  const ofCurrency = currency.slice(0, 2);
  const isCountry = isSupportedCountry(ofCurrency);
  if (isCountry && !SHARED_CURRENCIES.has(currency)) {
    return ofCurrency;
  }
  return findCountry(timeZone) ?? (isCountry ? ofCurrency : "");
}

/** Countries by time zone, computed at first use because this takes a moment. */
let countries: ReadonlyMap<string, string> | undefined;

function findCountry(timeZone: string): string | undefined {
  countries ??= new Map(
    getCountries().flatMap((country) => listZones(country).map((zone) => [zone, country] as const)),
  );
  return countries.get(timeZone);
}

function listZones(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & LocaleWithZones;
  return locale.getTimeZones?.() ?? [];
}

export interface Shop extends PricingTerms {
  name: string;
  language: Language;
  tillEnvironment: Environment;
  /** When the exchange rate was last set or confirmed. */
  rateSetAt: number;
  /** Time zone for `dayStartsAt`, which is in minutes after midnight. */
  timeZone: TimeZone;
  dayStartsAt: number;
  /** ISO 3166-1 alpha-2; empty if unknown. */
  country: string;
  /** Cash rounding step in minor units of the shop's currency; 0 disables rounding. */
  cashStep: number;
  /** When customers have to confirm the number of a top-up on their display. */
  confirmNumber: ConfirmNumber;
  hasChosenCountry: boolean;
  /** Payment methods in their order at the till. */
  tenders: readonly ShopTender[];
  logo?: ShopLogo;
  receipt: ReceiptText;
}

function findRow(db: Db | Tx, accountId: string) {
  return db
    .selectFrom("shops")
    .innerJoin("accounts", "accounts.account_id", "shops.account_id")
    .selectAll("shops")
    .leftJoin("logos", (join) =>
      join.onRef("logos.account_id", "=", "shops.account_id").on("logos.brand", "=", ""),
    )
    .select(["logos.digest", "logos.width", "logos.height"])
    .select(["accounts.time_zone", "accounts.receipt_text_json", "accounts.cash_step"])
    .select(["accounts.day_starts_at", "accounts.tenders_json", "accounts.confirm_number"])
    .select(intactFlag("shops").as("intact"))
    .where("shops.account_id", "=", accountId)
    .executeTakeFirst();
}

export async function findShop(db: Db | Tx, accountId: string): Promise<Shop | undefined> {
  const row = await findRow(db, accountId);
  return row && toShop(row);
}

function toShop(row: NonNullable<Awaited<ReturnType<typeof findRow>>>): Shop {
  const timeZone = row.time_zone ?? machineTimeZone();
  const { digest, width, height } = row;
  const hasLogo = digest !== null && width !== null && height !== null;
  return {
    name: row.name,
    currency: row.currency,
    currencyDivisor: row.currency_divisor,
    rate: row.rate,
    language: row.language as Language,
    tillEnvironment: row.till_environment,
    rateSetAt: row.rate_set_at ?? row.created_at,
    timeZone,
    dayStartsAt: row.day_starts_at,
    cashStep: row.cash_step,
    confirmNumber: row.confirm_number,
    tenders: toTenders(row.account_id, row.tenders_json).list,
    country: row.country ?? shopCountry(row.currency, timeZone),
    ...(hasLogo && { logo: { digest, width, height } }),
    hasChosenCountry: row.country !== null,
    receipt: readColumn(ReceiptText, row.receipt_text_json, {
      table: "accounts",
      column: "receipt_text_json",
      row: row.account_id,
    }),
  };
}

/** Returns ISO 3166-1 alpha-2; empty before set-up or if unknown. */
export async function readShopCountry(db: Db, accountId: string): Promise<string> {
  return (await findShop(db, accountId))?.country ?? "";
}

/**
 * Returns the shop's currency and rate. Before set-up, returns the wallet's currency and rate 1.
 * @throws DamagedRow if the stored shop has a wrong checksum
 */
export async function readTerms(db: Db | Tx, accountId: string): Promise<PricingTerms> {
  const row = await findRow(db, accountId);
  if (!row) return { ...(await getWalletUnit(db, accountId)), rate: "1" };
  if (row.intact === 0) throw new DamagedRow("shops", accountId);
  return toShop(row);
}

/** @throws Problem ENVIRONMENT_CHANGED if the shop sells in another environment */
export type RequireEnvironment = (tx: Tx, scope: Scope & { training: boolean }) => Promise<void>;

/**
 * Requires that the shop sells in this environment. Runs in the transaction of a sale or a new
 * shift, because the shop may have switched since the request was created.
 * @throws Problem ENVIRONMENT_CHANGED
 */
export async function requireTillEnvironment(
  tx: Tx,
  { accountId, environment, training }: Scope & { training: boolean },
): Promise<void> {
  if (training) return;
  const { till_environment } = await tx
    .selectFrom("shops")
    .select("till_environment")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (till_environment !== environment) throw environmentChanged(till_environment);
}

export function environmentChanged(environment: Environment): Problem {
  const now = environment === "live" ? "live, for real money" : "in the test environment";
  return new Problem(
    "ENVIRONMENT_CHANGED",
    `The shop sells ${now} by now: nothing was sold and nothing was charged.`,
    { environment: `must be ${environment}` },
  );
}
