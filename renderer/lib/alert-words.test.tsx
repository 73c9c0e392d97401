import { renderHook } from "@testing-library/react";
import { I18nextProvider, useTranslation } from "react-i18next";
import { expect, it } from "vitest";
import { ALERT_CAUSES, type Alert } from "../../server/contract/pos/alerts.ts";
import { officeWordsIn } from "../locales/office-words.ts";
import { alertWords } from "./alert-words.ts";
import { addOfficeWords, startI18n } from "./i18n.ts";
import { useFormat } from "./use-format.ts";

it.each(Object.values(ALERT_CAUSES).flat())(
  "%s has its words, whatever it has of facts",
  (cause) => {
    const i18n = startI18n("en");
    addOfficeWords(officeWordsIn);
    const alert: Alert = {
      alertId: "a",
      kind: "DISK",
      cause,
      level: "SOON",
      facts: {},
      openedAt: "2026-01-15T10:00:00.000Z",
    };
    const { result } = renderHook(() => alertWords(alert, useTranslation().t, useFormat()), {
      wrapper: ({ children }) => <I18nextProvider i18n={i18n}>{children}</I18nextProvider>,
    });
    expect(result.current.title).not.toContain("office.alerts");
    expect(result.current.body).not.toContain("office.alerts");
  },
);
