import type { Language } from "../../server/contract/pos/setup.ts";
import alerts from "./office/alerts.json" with { type: "json" };
import bulk from "./office/bulk.json" with { type: "json" };
import catalog from "./office/catalog.json" with { type: "json" };
import devices from "./office/devices.json" with { type: "json" };
import figures from "./office/figures.json" with { type: "json" };
import frame from "./office/frame.json" with { type: "json" };
import live from "./office/live.json" with { type: "json" };
import overview from "./office/overview.json" with { type: "json" };
import prices from "./office/prices.json" with { type: "json" };
import providers from "./office/providers.json" with { type: "json" };
import reports from "./office/reports.json" with { type: "json" };
import requests from "./office/requests.json" with { type: "json" };
import sales from "./office/sales.json" with { type: "json" };
import settings from "./office/settings.json" with { type: "json" };
import wallet from "./office/wallet.json" with { type: "json" };

const OFFICE_WORDS = {
  alerts,
  bulk,
  catalog,
  devices,
  figures,
  frame,
  live,
  overview,
  prices,
  providers,
  reports,
  requests,
  sales,
  settings,
  wallet,
} satisfies Record<string, Record<Language, object>>;

export type OfficeWords = {
  readonly [Name in keyof typeof OFFICE_WORDS]: (typeof OFFICE_WORDS)[Name]["en"];
};

/** Returns texts under the key `office`, loaded when the back office first opens. */
export function officeWordsIn(language: Language): OfficeWords {
  return {
    alerts: OFFICE_WORDS.alerts[language],
    bulk: OFFICE_WORDS.bulk[language],
    catalog: OFFICE_WORDS.catalog[language],
    devices: OFFICE_WORDS.devices[language],
    figures: OFFICE_WORDS.figures[language],
    frame: OFFICE_WORDS.frame[language],
    live: OFFICE_WORDS.live[language],
    overview: OFFICE_WORDS.overview[language],
    prices: OFFICE_WORDS.prices[language],
    providers: OFFICE_WORDS.providers[language],
    reports: OFFICE_WORDS.reports[language],
    requests: OFFICE_WORDS.requests[language],
    sales: OFFICE_WORDS.sales[language],
    settings: OFFICE_WORDS.settings[language],
    wallet: OFFICE_WORDS.wallet[language],
  };
}
