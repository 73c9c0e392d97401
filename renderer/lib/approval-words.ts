import type { Facts } from "../../server/contract/pos/approvals.ts";
import { FAMILIES, type Family } from "../../server/contract/pos/families.ts";
import type { Need } from "../../server/contract/pos/rights.ts";
import type { Translate } from "./i18n.ts";
import type { MoneyUnit } from "./money.ts";
import type { Format } from "./use-format.ts";

/** Describes a need to the clerk: "a discount of 15%", "a sale of Q 600.00". */
export function needWords({ right, asked }: Need, t: Translate, format: Format, unit: MoneyUnit) {
  const figure = needFigure({ right, asked }, format, unit);
  return isOfFamily(right)
    ? t(`family.${familyOf(right)}.needed`, { asked: figure })
    : t(`approval.need.${right}`, { asked: figure });
}

type FamilyRight = `perProduct.${Family}`;

function isOfFamily(right: Need["right"]): right is FamilyRight {
  return right.startsWith("perProduct.");
}

function familyOf(right: FamilyRight): Family {
  const family = FAMILIES.find((one) => right === `perProduct.${one}`);
  if (!family) {
    throw new Error(`${right} names no family`);
  }
  return family;
}

export function needFigure(
  { right, asked = 0 }: { right: Need["right"]; asked?: number | undefined },
  format: Format,
  { currency, currencyDivisor }: MoneyUnit,
): string {
  return right === "discountPct"
    ? format.percent(asked)
    : format.money(asked, currency, currencyDivisor);
}

export interface FactWords {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

const TEXTS = ["product", "recipient", "reason", "soldBy", "seller", "printer"] as const;
const AMOUNTS = ["amount", "price", "discount", "counted"] as const;
const TENDERS = ["CASH", "CARD", "OTHER"] as const;
const MOVEMENTS = ["PAY_IN", "PAY_OUT", "DROP", "NO_SALE"] as const;

/**
 * Describes a request: item or movement, amount, recipient and reason. Omits facts that requests of
 * earlier versions lack.
 * @param unit the shop's currency, for facts without a currency
 */
export function factWords(
  facts: Facts,
  { t, format, unit }: { readonly t: Translate; readonly format: Format; readonly unit: MoneyUnit },
): FactWords[] {
  const currency = typeof facts.currency === "string" ? facts.currency : unit.currency;
  const divisor = Number(facts.currencyDivisor ?? unit.currencyDivisor);
  const money = (minor: number) => format.money(minor, currency, divisor);
  const words: FactWords[] = [];
  const { kind, saleNumber, zNumber, unfinished } = facts;
  const movement = MOVEMENTS.find((one) => one === kind);
  const tender = TENDERS.find((one) => one === kind);
  if (movement) {
    words.push({
      name: "kind",
      label: t("approval.fact.kind"),
      value: t(`shift.move.${movement}`),
    });
  }
  if (typeof saleNumber === "number") {
    const number = String(saleNumber).padStart(6, "0");
    words.push({ name: "saleNumber", label: t("approval.fact.sale"), value: number });
  }
  if (typeof zNumber === "number") {
    const value = t("shift.z.title", { number: zNumber });
    words.push({ name: "zNumber", label: t("approval.fact.report"), value });
  }
  for (const name of AMOUNTS) {
    const value = facts[name];
    if (typeof value === "number") {
      words.push({ name, label: t(`approval.fact.${name}`), value: money(value) });
    }
  }
  if (tender) {
    words.push({
      name: "tender",
      label: t("approval.fact.by"),
      value: typeof facts.tender === "string" ? facts.tender : t(`counter.tender.${tender}`),
    });
  }
  for (const name of TENDERS) {
    const value = facts[name];
    if (typeof value === "number") {
      words.push({ name, label: t(`counter.tender.${name}`), value: money(value) });
    }
  }
  for (const name of TEXTS) {
    const value = facts[name];
    if (typeof value === "string" && value !== "") {
      words.push({ name, label: t(`approval.fact.${name}`), value });
    }
  }
  if (typeof unfinished === "number" && unfinished > 0) {
    words.push({
      name: "unfinished",
      label: t("approval.fact.unfinished"),
      value: format.number(unfinished),
    });
  }
  return words;
}
