import type { CheckedForLive, Practice } from "../../../server/contract/pos/till-environment.ts";
import { directionOf } from "../../lib/direction.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { Format } from "../../lib/use-format.ts";

export function checkWords(
  { check, figures }: CheckedForLive,
  t: Translate,
  format: Format,
): string {
  const { currency, currencyDivisor } = figures;
  const text = (name: string) => String(figures[name] ?? "");
  const number = (name: string) => format.number((text(name) || "0") as `${number}`);
  const money = (name: string) =>
    figures[name] === undefined
      ? ""
      : format.money(Number(figures[name]), String(currency), Number(currencyDivisor));
  const practices = text("missing") === "" ? [] : (text("missing").split(",") as Practice[]);
  return t(wordsKey(check, text("state")), {
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
    seconds: number("seconds"),
    sales: number("sales"),
    days: number("days"),
    ours: text("ours"),
    theirs: text("theirs"),
    brand: text("brand"),
    recipient: text("recipient"),
    average: money("average"),
    cost: money("cost"),
    available: money("available"),
    there: money("there"),
    here: money("here"),
    date: text("date") === "" ? "" : format.date(`${text("date")}T12:00:00Z`),
    at: text("at") === "" ? "" : format.moment(text("at")),
    missing: practices
      .map((practice) => t(`office.live.practice.${practice}`))
      .join(directionOf(format.locale) === "rtl" ? "، " : ", "),
  });
}

const FIRST_SALE_STATES = ["UNDER_WAY", "FAILED", "DIFFERS"] as const;

/** Some checks have several texts, depending on the state. */
function wordsKey(check: CheckedForLive["check"], state: string) {
  const known = FIRST_SALE_STATES.find((one) => one === state);
  if (check === "BACKUP_RESTORED" && state === "UNDER_WAY") {
    return "office.live.backup.running";
  }
  if (check === "GATEWAY_ANSWERS" && state === "NOT_CONNECTED") {
    return "office.live.gateway.missing";
  }
  if (check === "FIRST_SALE" && known) {
    return `office.live.first.state.${known}` as const;
  }
  return `office.live.check.${check}.missing` as const;
}

/** Returns the reason in the words of the provider or the system. */
export function reasonOf({ passed, figures }: CheckedForLive): string {
  return passed ? "" : String(figures.reason ?? "");
}
