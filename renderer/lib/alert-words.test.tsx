import { renderHook } from "@testing-library/react";
import { useTranslation } from "react-i18next";
import { beforeAll, expect, it } from "vitest";
import { ALERT_CAUSES, type Alert } from "../../server/contract/pos/alerts.ts";
import { officeWordsIn } from "../locales/office-words.ts";
import { alertWords } from "./alert-words.ts";
import { addOfficeWords } from "./i18n.ts";
import { useFormat } from "./use-format.ts";

beforeAll(() => addOfficeWords(officeWordsIn));

it.each(Object.values(ALERT_CAUSES).flat())("describes %s with any facts", (cause) => {
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
});
