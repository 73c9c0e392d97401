import { ApiError } from "../../../../lib/api-client.ts";
import { amountControl } from "../../picker/amount/use-amount.ts";
import { fieldsControl } from "../../picker/fields/fields-control.ts";
import { pickerControl } from "../../picker/tiles/picker-control.ts";
import { askingAgain, hasFailed, isAwaited } from "../../ui/asked.ts";
import type { NextThing, StepControl, StepWords } from "../../ui/step-control.ts";
import { walletNext } from "../../ui/wallet-next.ts";
import type { BillPayment } from "./use-bill.ts";

/** What the keys do while a bill payment is composed. */
export function billControl(bill: BillPayment, words: StepWords): StepControl {
  const control = stepControl(bill, words);
  const { wanted, step } = bill.state;
  // Keys that come sooner than what was opened are for it.
  return wanted && step === "biller" && !control.asksAgain
    ? { ...control, waits: "here" }
    : control;
}

function stepControl(bill: BillPayment, words: StepWords): StepControl {
  const { t } = words;
  switch (bill.state.step) {
    case "biller":
      return pickerControl(bill.billerPicker, { choose: t("counter.next.biller"), t }, true);
    case "country":
      return pickerControl(bill.countryPicker, { choose: t("counter.next.country"), t }, true);
    case "service":
      return pickerControl(bill.servicePicker, { choose: t("counter.next.service"), t }, false);
    case "field":
      return fieldsControl(bill.fields, t("counter.next.amount"), t("counter.needed.field"));
    case "amount":
      return {
        ...amountControl(bill.amount, words, bill.enterAmount),
        next: amountNext(bill, words),
        ...(isAwaited(bill.bill) && { waits: "here" }),
        proceed: bill.enterAmount,
        ...(bill.isRetrieved &&
          hasFailed(bill.bill) &&
          !isRefused(bill.bill.error) &&
          askingAgain(t)),
      };
  }
}

function amountNext(
  { pays, problem, walletShort }: BillPayment,
  { t, inShop }: StepWords,
): NextThing {
  if (pays && walletShort) {
    return walletNext(t);
  }
  return pays === undefined || problem !== undefined
    ? { label: t("counter.next.amount"), ready: false }
    : { label: t("counter.next.amountPriced", { price: inShop(pays.price) }), ready: true };
}

/** The biller has no such bill: the same request gets the same answer. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiError && error.errorCode === "BILL_NOT_FOUND";
}
