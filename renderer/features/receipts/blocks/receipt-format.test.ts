import { expect, test } from "vitest";
import { aLine, aReceipt } from "../../../../e2e/support/receipts.ts";
import { receiptFormat } from "./receipt-format.ts";

test("receiptFormat formats times in the shop's time zone, regardless of the device's time zone", () => {
  const { moment, time } = receiptFormat(
    aReceipt([aLine()], { timeZone: "America/Guatemala", language: "en" }),
  );
  expect(time("2026-01-15T03:05:00.000Z")).toMatch(/9:05/);
  expect(moment("2026-01-15T03:05:00.000Z")).toMatch(/14/);
});
