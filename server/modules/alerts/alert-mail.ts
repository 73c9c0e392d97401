import type { AlertCause, AlertFacts } from "../../contract/pos/alerts.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { Shop } from "../shop/index.ts";
import words from "./alert-mail-words.json" with { type: "json" };
import type { StoredAlert } from "./alert-store.ts";

interface AlertMailText {
  language: Language;
  shop: Pick<Shop, "name" | "timeZone">;
  alerts: readonly StoredAlert[];
}

/** What a mail says of a cause beside its name; anything else stays in the shop (rules#alert-mail). */
const TOLD: Readonly<Record<AlertCause, readonly ("amount" | "count" | "brand" | "since")[]>> = {
  WALLET_EMPTY: ["amount"],
  WALLET_UNDER_AMOUNT: ["amount"],
  WALLET_UNDER_HOURS: ["amount"],
  TIE_OUT: ["amount"],
  CASES: ["count"],
  REFUNDS: ["count", "amount"],
  PROVIDER_SLOW: ["brand", "count"],
  BRAND_PAUSED: ["brand", "since"],
  ANSWER_UNREADABLE: ["brand", "count"],
  OFFERS_BLOCKED: ["count"],
  RATE_OLD: ["since"],
  RATE_DRIFTED: ["since"],
  LIVE_CHECKS: ["count", "since"],
  BACKUP_FAILED: ["since"],
  BACKUP_OLD: ["since"],
  BACKUP_PLACE: ["since"],
  RECOVERY_KIT: [],
  RESTORED_ACCESS: ["since"],
  DISK: [],
  CLOCK_WRONG: ["since"],
  WEBHOOK_FAILING: ["since"],
  WEBHOOK_PAUSED: ["since"],
  WRONG_PINS: ["count"],
  REPORT: [],
  MAIL: [],
  UPDATE_NEWER: ["brand"],
  UPDATE_UNDONE: ["brand"],
  PORT_BLOCKED: ["brand"],
  PORT_UNREACHED: ["brand"],
};

/** A mail of some alerts: what is the matter, and where it is seen to. No names, numbers, PINs or texts of others. */
export function composeAlertMail(mail: AlertMailText): { subject: string; body: string } {
  const { language, shop, alerts } = mail;
  const text = words[language];
  const lines = alerts.map((alert) => `- ${describe(alert, language, shop.timeZone)}`);
  const isTest = alerts.every(({ environment }) => environment === "test");
  const place = isTest ? ` (${text.test})` : "";
  const [first] = alerts;
  const isOne = alerts.length === 1 && first !== undefined;
  const what = isOne ? text.causes[first.cause] : `${text.several}: ${alerts.length}`;
  return {
    subject: `${shop.name}${place}: ${what}`,
    body: [`${shop.name}${place}`, "", ...lines, "", text.where].join("\n"),
  };
}

function describe(alert: StoredAlert, language: Language, timeZone: string): string {
  const text = words[language];
  const { cause, environment, facts } = alert;
  const told = TOLD[cause].flatMap((what) => factOf(what, facts, { language, timeZone }) ?? []);
  const place = environment === "test" ? ` (${text.test})` : "";
  return told.length === 0
    ? `${text.causes[cause]}${place}`
    : `${text.causes[cause]}${place}: ${told.join(", ")}`;
}

function factOf(
  what: "amount" | "count" | "brand" | "since",
  { amount, currency, currencyDivisor = 1, count, name, since }: AlertFacts,
  { language, timeZone }: { language: Language; timeZone: string },
): string | undefined {
  if (what === "brand") return name;
  if (what === "count") return count === undefined ? undefined : String(count);
  if (what === "amount") {
    if (amount === undefined || currency === undefined) return undefined;
    const format = new Intl.NumberFormat(language, { style: "currency", currency });
    return format.format(amount / currencyDivisor);
  }
  if (since === undefined) return undefined;
  const format = { dateStyle: "medium", timeStyle: "short", timeZone } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(since));
}
