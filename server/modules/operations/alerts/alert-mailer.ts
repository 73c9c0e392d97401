import type { AlertCause, AlertFacts } from "../../../contract/pos/alerts.ts";
import { formatMoney, shopLocale } from "../../../contract/pos/money-text.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { MINUTE } from "../../../lib/clock.ts";
import type { MailService } from "../../messages/mail/index.ts";
import type { Shop } from "../../shop/shop/index.ts";
import words from "./alert-mail-words.json" with { type: "json" };
import {
  clearMailsDue,
  findAlertMail,
  listOpenAlerts,
  type StoredAlert,
  writeAlertMail,
} from "./alert-store.ts";

/**
 * Facts that a mail contains besides the cause of its alert. All other facts stay in the shop
 * (rules#alert-mail).
 */
const MAILED_FACTS: Readonly<
  Record<AlertCause, readonly ("amount" | "count" | "brand" | "since")[]>
> = {
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

/**
 * Delay of a mail after its first alert. Later alerts share the mail; alerts resolved by then are
 * not mailed.
 */
const GATHERED_MS = MINUTE;
const BETWEEN_MS = 10 * MINUTE;

interface AlertMailerDeps {
  accountId: string;
  mail: MailService;
}

/** Mails each alert once, and a burst of alerts in a single mail (rules#alert-mail). */
export class AlertMailer {
  readonly #deps: AlertMailerDeps;

  constructor(deps: AlertMailerDeps) {
    this.#deps = deps;
  }

  async isDue(db: Db | Tx, open: readonly StoredAlert[], now: number): Promise<boolean> {
    const since = open.flatMap(({ mailDueAt }) => mailDueAt ?? []);
    if (since.length === 0 || now - Math.min(...since) < GATHERED_MS) return false;
    const { sentAt } = await findAlertMail(db, this.#deps.accountId);
    return sentAt === undefined || Math.abs(now - sentAt) >= BETWEEN_MS;
  }

  /**
   * Stores the mails in the transaction that marks the alerts as mailed. Without a mail server or
   * recipients, the alerts are marked but never mailed.
   */
  async write(tx: Tx, shop: Shop, now: number): Promise<void> {
    const { accountId, mail } = this.#deps;
    const open = await listOpenAlerts(tx, accountId);
    if (!(await this.isDue(tx, open, now))) return;
    await clearMailsDue(tx, accountId);
    const { settings } = await findAlertMail(tx, accountId);
    if (settings.list.length === 0 || !(await mail.hasServer(tx, accountId))) return;
    const due = open.filter(
      ({ mailDueAt, silencedAt }) => mailDueAt !== undefined && silencedAt === undefined,
    );
    let isWritten = false;
    for (const { address, language, kinds } of settings.list) {
      const theirs = due.filter(({ kind }) => kinds.some((wanted) => wanted === kind));
      if (theirs.length === 0) continue;
      const text = composeAlertMail({ language, shop, alerts: theirs });
      await mail.write(tx, { accountId, recipients: [address], ...text });
      isWritten = true;
    }
    if (isWritten) await writeAlertMail(tx, accountId, { settings, sentAt: now });
  }
}

interface AlertMailText {
  language: Language;
  shop: Pick<Shop, "currency" | "name" | "timeZone">;
  alerts: readonly StoredAlert[];
}

/** Composes a mail without names, phone numbers, PINs or error texts. */
function composeAlertMail(mail: AlertMailText): { subject: string; body: string } {
  const { language, shop, alerts } = mail;
  const text = words[language];
  const lines = alerts.map((alert) => `- ${describe(alert, language, shop)}`);
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

function describe(alert: StoredAlert, language: Language, shop: AlertMailText["shop"]): string {
  const text = words[language];
  const { cause, environment, facts } = alert;
  const told = MAILED_FACTS[cause].flatMap(
    (what) => formatFact(what, facts, { language, shop }) ?? [],
  );
  const place = environment === "test" ? ` (${text.test})` : "";
  return told.length === 0
    ? `${text.causes[cause]}${place}`
    : `${text.causes[cause]}${place}: ${told.join(", ")}`;
}

function formatFact(
  what: "amount" | "count" | "brand" | "since",
  { amount, currency, currencyDivisor = 1, count, name, since }: AlertFacts,
  { language, shop }: Pick<AlertMailText, "language" | "shop">,
): string | undefined {
  const locale = shopLocale(language, shop.currency);
  if (what === "brand") return name;
  if (what === "count") return count === undefined ? undefined : String(count);
  if (what === "amount") {
    if (amount === undefined || currency === undefined) return undefined;
    const style = currency === shop.currency ? "symbol" : "code";
    return formatMoney(amount, currency, currencyDivisor, { locale, style });
  }
  if (since === undefined) return undefined;
  const { timeZone } = shop;
  const format = { dateStyle: "medium", timeStyle: "short", timeZone } as const;
  return new Intl.DateTimeFormat(locale, format).format(new Date(since));
}
