import type { TFunction } from "i18next";
import type { Alert, AlertKind } from "../../server/contract/pos/alerts.ts";
import type { OfficeSearch, OfficeSectionName } from "./office-section.ts";
import type { Format } from "./use-format.ts";

interface AlertPlace {
  readonly section: OfficeSectionName;
  readonly search?: OfficeSearch;
}

export const ALERT_PLACES: Readonly<Record<AlertKind, AlertPlace>> = {
  WALLET: { section: "wallet" },
  TIE_OUT: { section: "reports", search: { view: "money", days: "today" } },
  CASES: { section: "sales", search: { view: "cases" } },
  REFUNDS: { section: "reports", search: { view: "owed" } },
  PROVIDER_SLOW: { section: "sales", search: { view: "brands" } },
  BRAND_PAUSED: { section: "sales", search: { view: "brands" } },
  PROVIDER_ANSWERS: { section: "live", search: { view: "gateway" } },
  OFFERS_BLOCKED: { section: "prices", search: { view: "blocked" } },
  RATE: { section: "prices", search: { view: "rate" } },
  LIVE_CHECKS: { section: "live" },
  BACKUP: { section: "settings", search: { view: "backups" } },
  DISK: { section: "settings", search: { view: "backups" } },
  CLOCK: { section: "settings", search: { view: "about" } },
  WEBHOOK: { section: "webhooks" },
  WRONG_PINS: { section: "staff" },
  REPORT: { section: "reports", search: { view: "schedules" } },
  MAIL: { section: "settings", search: { view: "mail" } },
  UPDATE: { section: "settings", search: { view: "about" } },
  NETWORK: { section: "settings", search: { view: "network" } },
};

export function alertWords(
  { cause, facts }: Alert,
  t: TFunction,
  format: Format,
): { title: string; body: string } {
  const { currency, currencyDivisor = 1, reference = "" } = facts;
  const money = (minor: number) =>
    currency === undefined ? "" : format.money(minor, currency, currencyDivisor);
  const filled = {
    amount: money(facts.amount ?? 0),
    limit: money(facts.limit ?? 0),
    hours: format.number(facts.hours ?? 0),
    number: format.number(facts.count ?? 0),
    name: facts.name ?? "",
    reason: facts.reason ?? "",
    rate: format.typedAmount(facts.rate ?? ""),
    reference: cause === "RATE_DRIFTED" ? format.typedAmount(reference) : reference,
    address: facts.address ?? "",
    field: facts.field ?? "",
    sale: facts.sale ?? "",
    percent: format.percent(Math.abs(facts.percent ?? 0)),
    size: format.number(facts.gigabytes ?? 0),
  };
  return {
    title: t(`office.alerts.what.${cause}.title`, filled),
    body: t(`office.alerts.what.${cause}.body`, filled),
  };
}
