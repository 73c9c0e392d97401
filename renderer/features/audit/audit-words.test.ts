import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { AUDIT_ACTIONS, type AuditRecord } from "../../../server/contract/pos/audit-trail.ts";
import { formatMoney } from "../../lib/money.ts";
import type { Format } from "../../lib/use-format.ts";
import { detailWords } from "./audit-words.ts";

const LOCALES = join(import.meta.dirname, "../../locales");

describe("audit texts", () => {
  it.each(readdirSync(LOCALES).filter((file) => file.endsWith(".json")))(
    "every action has a text in %s",
    (file) => {
      const words = JSON.parse(readFileSync(join(LOCALES, file), "utf8")) as {
        audit: { action: Record<string, Record<string, string>> };
      };
      const wordless = AUDIT_ACTIONS.filter((action) => {
        const [group = "", name = ""] = action.split(".");
        return (words.audit.action[group]?.[name] ?? "").trim() === "";
      });
      expect(wordless, "add their words under audit.action").toEqual([]);
    },
  );
});

const format = {
  money: (minor: number, currency: string, divisor: number) =>
    formatMoney(minor, currency, divisor, { locale: "en-US" }),
  shopDate: (day: string) => day,
} as Format;

describe("detailWords", () => {
  it.each<[string, AuditRecord["detail"], string[]]>([
    ["sale.discount", { discount: 520 }, ["Discount: $5.20"]],
    [
      "approval.use",
      { kind: "PAY_OUT", amount: 1500, reason: "Milk", currency: "USD", currencyDivisor: 100 },
      [`Action: Take cash for an expense`, "Amount: $15.00", "Reason: Milk"],
    ],
    [
      "staff.limits",
      { perSale: 60_000, "perSale.was": 50_000, currency: "USD", currencyDivisor: 100 },
      ["≤ A sale of $600.00: $500.00 → $600.00"],
    ],
    [
      "settings.change",
      { idleLockMinutes: 5, "idleLockMinutes.was": 3 },
      ["Locks after minutes: 3 → 5"],
    ],
    ["sale.customer-refund", { amount: 5200, kind: "CARD" }, ["$52.00", "Card"]],
    [
      "reconciliation.settle",
      { amount: 2970, recipient: "+50251234567", currency: "USD", currencyDivisor: 100 },
      ["Amount: $29.70", "For: +50251234567"],
    ],
    [
      "sale.customer-refund",
      { amount: 5200, CASH: 100, CARD: 5100 },
      ["$52.00", "Cash $1.00", "Card $51.00"],
    ],
    [
      "shift.movement",
      { kind: "PAY_OUT", amount: 1_500_50, reason: "ice for the week" },
      ["Take cash for an expense", "$1,500.50", "“ice for the week”"],
    ],
    [
      "shift.movement",
      { kind: "NO_SALE", amount: 0, reason: "change" },
      ["Open the drawer without a sale", "“change”"],
    ],
    [
      "figures.export",
      { rows: "LINES", firstDay: "2026-01-01", lastDay: "2026-01-31", by: "BRAND", value: "TIGO" },
      ["Sold items", "2026-01-01 – 2026-01-31", "TIGO"],
    ],
    ["shift.open", { float: 5000 }, ["Opening float $50.00"]],
    ["shift.close", { zNumber: 7, variance: -1050 }, ["Z report 7", "The drawer is $10.50 short."]],
    ["shift.force-close", { zNumber: 8 }, ["Z report 8", "The drawer was not counted."]],
  ])("describes %s %o", (action, detail, words) => {
    const t = i18next.getFixedT("en");
    const record = { action, detail } as AuditRecord;
    expect(detailWords(record, t, format, { currency: "USD", currencyDivisor: 100 })).toEqual(
      words,
    );
  });
});
