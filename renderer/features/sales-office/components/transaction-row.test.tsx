import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import type { OfficeTransaction } from "../../../../server/contract/pos/transaction-office.ts";
import { addOfficeWords, startI18n } from "../../../lib/i18n.ts";
import { officeWordsIn } from "../../../locales/office-words.ts";
import { TransactionRow } from "./transaction-row.tsx";

const SOLD: OfficeTransaction = {
  transactionId: "one",
  family: "TOPUP",
  status: "DONE",
  createdAt: "2026-01-15T09:30:00.000Z",
  brandName: "Tigo",
  title: "25 GTQ",
  country: "GT",
  recipient: "+50251234567",
  needsDecision: false,
  canceled: false,
};
const SALE = {
  saleId: "s",
  saleNumber: 12,
  clerk: "Ana",
  amount: 450,
  currency: "USD",
  currencyDivisor: 100,
};

beforeAll(() => addOfficeWords(officeWordsIn));

it.each<[string, Partial<OfficeTransaction>, RegExp]>([
  ["a sale with its clerk and price", { sale: SALE }, /Ana.*Tigo.*\+50251234567.*\$4\.50/],
  ["a program's purchase with its key", { key: { keyId: "k", name: "Web shop" } }, /Web shop/],
  ["a purchase without a known key", { recipient: "" }, /Not sold at a till/],
  [
    "a bill with its type",
    { family: "BILL_PAY", brandName: "EEGSA", title: "15.01 to 2251.50 GTQ", recipient: "" },
    /EEGSA · Bill(?!.*2251)/,
  ],
  ["a refunded delivery as canceled", { canceled: true }, /Canceled/],
  ["a failed purchase as not delivered", { status: "FAILED" }, /Not delivered/],
  [
    "a purchase that waits for a decision",
    { status: "IN_PROGRESS", needsDecision: true },
    /Ask the provider and decide\./,
  ],
])("the row shows %s", (_what, change, text) => {
  const onOpen = vi.fn<() => void>();
  render(
    <MantineProvider>
      <ul>
        <TransactionRow transaction={{ ...SOLD, ...change }} isChosen={false} onOpen={onOpen} />
      </ul>
    </MantineProvider>,
  );
  const row = screen.getByRole("button");
  expect(row.textContent).toMatch(text);
  fireEvent.click(row);
  expect(onOpen).toHaveBeenCalledOnce();
});

it("the row keeps an Arabic plan's number beside its unit, at the start of the column", () => {
  startI18n("ar");
  render(
    <MantineProvider>
      <ul>
        <TransactionRow
          transaction={{ ...SOLD, family: "ESIM", brandName: "Travel", title: "1 GB, 7 days" }}
          isChosen={false}
          onOpen={vi.fn<() => void>()}
        />
      </ul>
    </MantineProvider>,
  );
  const title = screen.getByText(/Travel/);
  expect(title.textContent).toMatch(/^\u2067\u2068Travel\u2069 \u2068\u2068?1.*\u2069\u2069$/u);
  expect(title.closest("[dir]")).toBe(document.documentElement);
});
