import i18next from "i18next";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../../../../server/contract/pos/setup.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { NO_FIELDS } from "../../picker/fields/fields-state.ts";
import { billControl } from "./bill-family.tsx";
import { type BillPayment, INITIAL_BILL } from "./bill-state.ts";

const ACCOUNT = { key: "accountNumber", label: "Account number", kind: "DIGITS" } as const;
const IDLE = { isPending: false, fetchStatus: "idle", failureReason: null, failureCount: 0 };
const DUE = { ...IDLE, data: { price: 18_990, send: 18_640 }, error: null };
const NOT_FOUND = new ApiError(404, "BILL_NOT_FOUND", "", {});

function labelIn(language: string, step: "field" | "amount", changes: object): string {
  const t = i18next.getFixedT(language);
  const payment = {
    state: { ...INITIAL_BILL, step, offer: { supportsBillRetrieval: true } },
    fields: { state: NO_FIELDS, fields: [ACCOUNT] },
    amount: { state: INITIAL_BILL.amount },
    isRetrieved: true,
    ...changes,
  } as unknown as BillPayment;
  const words = { t, inShop: (minor: number) => `Q ${minor / 100}` } as never;
  return billControl(payment, words).next.label;
}

it.each(LANGUAGES)("each step of a bill names what happens next in %s", (language) => {
  const t = i18next.getFixedT(language);
  const typed = { ...NO_FIELDS, texts: { accountNumber: "30001234567" } };
  const field = t("counter.fieldName.account");
  const labels = [
    labelIn(language, "field", {}),
    labelIn(language, "field", { fields: { state: typed, fields: [ACCOUNT] } }),
    labelIn(language, "amount", { bill: { ...DUE, data: undefined, isPending: true } }),
    labelIn(language, "amount", { bill: { ...DUE, data: undefined, error: NOT_FOUND } }),
    labelIn(language, "amount", { bill: DUE, pays: DUE.data }),
    labelIn(language, "amount", { bill: DUE, pays: DUE.data, problem: "under" }),
    labelIn(language, "amount", { bill: { ...DUE, data: undefined }, isRetrieved: false }),
  ];
  expect(labels).toEqual([
    t("counter.next.fieldMissing", { field }),
    t("counter.next.due"),
    t("counter.next.dueAwaited"),
    t("counter.next.dueMissing"),
    t("counter.next.amountPriced", { price: "Q 189.9" }),
    t("counter.next.amountOther"),
    t("counter.next.amountMissing"),
  ]);
  expect(labels).not.toContain(t("counter.next.amount"));
});
