import { renderHook } from "@testing-library/react";
import { useTranslation } from "react-i18next";
import { beforeAll, expect, it } from "vitest";
import { ALERT_CAUSES, type Alert } from "../../server/contract/pos/alerts.ts";
import alerts from "../locales/office/alerts.json" with { type: "json" };
import { officeWordsIn } from "../locales/office-words.ts";
import { alertWords } from "./alert-words.ts";
import { addOfficeWords, startI18n } from "./i18n.ts";
import { useFormat } from "./use-format.ts";

beforeAll(() => addOfficeWords(officeWordsIn));

it.each(Object.values(ALERT_CAUSES).flat())(
  "the alert %s has a title and a body, even without facts",
  (cause) => {
    const alert: Alert = {
      alertId: "a",
      kind: "DISK",
      cause,
      level: "SOON",
      facts: {},
      openedAt: "2026-01-15T10:00:00.000Z",
    };
    const { result } = renderHook(() => alertWords(alert, useTranslation().t, useFormat()));
    expect(result.current.title).not.toContain("office.alerts");
    expect(result.current.body).not.toContain("office.alerts");
  },
);

it.each(Object.entries(alerts))(
  "the texts of the alert %s use only facts that the till provides",
  (_, words) => {
    const { result } = renderHook(() => useFormat());
    const known = new Set<string>();
    const record = ((_key: string, filled: object) => {
      for (const name of Object.keys(filled)) known.add(name);
      return "";
    }) as unknown as Parameters<typeof alertWords>[1];
    const alert = { cause: "DISK", facts: {} } as Alert;
    alertWords(alert, record, result.current);
    const used = [...JSON.stringify(words.what).matchAll(/\{\{(\w+)/g)].map(([, name]) => name);
    expect(used.filter((name) => !known.has(name ?? ""))).toEqual([]);
  },
);

it("a rate has the decimal sign of the language, and a command stays as it is typed", () => {
  startI18n("fr");
  const said = (cause: Alert["cause"], facts: Alert["facts"]) => {
    const alert = { cause, facts } as Alert;
    const { result } = renderHook(() => alertWords(alert, useTranslation().t, useFormat()));
    return `${result.current.title} ${result.current.body}`;
  };
  expect(said("RATE_OLD", { rate: "7.75" })).toContain("7,75");
  const drifted = said("RATE_DRIFTED", { rate: "7.75", reference: "7.9" });
  expect(drifted).toMatch(/7,75.*7,9/);
  expect(said("PORT_BLOCKED", { reference: "ufw allow 8.080" })).toContain("ufw allow 8.080");
});
