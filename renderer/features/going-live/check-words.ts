import type {
  CheckedForLive,
  GoingLiveCheck,
  Practice,
} from "../../../server/contract/pos/till-environment.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { Format } from "../../lib/use-format.ts";

/** What to do about a check: a screen of this till, the rate below, or a command on the shop's machine. */
export type Remedy =
  | { readonly kind: "screen"; readonly to: RemedyScreen }
  | { readonly kind: "gateway" }
  | { readonly kind: "rate" }
  | { readonly kind: "command"; readonly command: string };

export type RemedyScreen = "/shift" | "/staff" | "/printing";

const REMEDIES: Partial<Record<GoingLiveCheck, Remedy>> = {
  SHIFTS_CLOSED: { kind: "screen", to: "/shift" },
  GATEWAY_CONNECTED: { kind: "gateway" },
  GATEWAY_ANSWERS: { kind: "gateway" },
  GATEWAY_KEY_LIVE: { kind: "gateway" },
  CATALOG_SYNCED: { kind: "gateway" },
  CATALOG_HAS_OFFERS: { kind: "gateway" },
  PRICES_COVER_COST: { kind: "rate" },
  RATE_RECENT: { kind: "rate" },
  WALLET_FUNDED: { kind: "gateway" },
  OWNER_PIN_CHANGED: { kind: "screen", to: "/staff" },
  BACKUP_MADE: command("backup now"),
  BOOKS_SOUND: command("audit"),
  TIME_ZONE_SET: command("settings set --time-zone America/Guatemala"),
  CATALOG_COMPLETE: { kind: "gateway" },
  WALLET_MATCHES_GATEWAY: { kind: "gateway" },
  RATE_NEAR_REFERENCE: { kind: "rate" },
  LIMITS_SET: { kind: "screen", to: "/staff" },
  BACKUP_RECENT: command("backup now"),
  QUEUE_ON: command("settings set --env live --queue on"),
  RECEIPT_FILLED: { kind: "screen", to: "/printing" },
  WEBHOOKS_ANSWER: command("webhooks list"),
  KEYS_LIMITED: command("keys list"),
};

function command(rest: string): Remedy {
  return { kind: "command", command: `tillgate ${rest}` };
}

export function remedyOf({ check, passed }: CheckedForLive): Remedy | undefined {
  return passed ? undefined : REMEDIES[check];
}

/** A check in the reader's words: its result, or what is missing and what to do. */
export function checkWords(
  { check, passed, figures }: CheckedForLive,
  t: Translate,
  format: Format,
): string {
  const { currency, currencyDivisor } = figures;
  const text = (name: string) => String(figures[name] ?? "");
  const number = (name: string) => format.number((text(name) || "0") as `${number}`);
  const money = (name: string) =>
    figures[name] === undefined
      ? ""
      : format.money(Number(figures[name]), String(currency), Number(currencyDivisor), "code");
  const practices = text("missing") === "" ? [] : (text("missing").split(",") as Practice[]);
  return t(`goLive.check.${check}.${passed ? "good" : "missing"}`, {
    names: text("names"),
    name: text("name"),
    url: text("url"),
    example: text("example"),
    timeZone: text("timeZone"),
    country: text("country") === "" ? "" : format.country(text("country")),
    offers: number("offers"),
    leftOut: number("leftOut"),
    people: number("people"),
    failing: number("failing"),
    rate: number("rate"),
    reference: number("reference"),
    free: number("free"),
    available: money("available"),
    there: money("there"),
    here: money("here"),
    date: text("date") === "" ? "" : format.date(`${text("date")}T12:00:00Z`),
    at: text("at") === "" ? "" : format.moment(text("at")),
    missing: practices
      .map((practice) => t(`goLive.practice.${practice}`))
      .join(format.locale.startsWith("ar") ? "، " : ", "),
  });
}

/** What the provider or the system said of it, in its own words. */
export function reasonOf({ passed, figures }: CheckedForLive): string {
  return passed ? "" : String(figures.reason ?? "");
}
