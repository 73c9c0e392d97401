import { amountControl } from "../../picker/amount/use-amount.ts";
import { fieldsControl } from "../../picker/fields/fields-control.ts";
import { pickerControl } from "../../picker/tiles/picker-control.ts";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { Voucher } from "./use-voucher.ts";

/** What the keys do while a voucher is composed. */
export function voucherControl(voucher: Voucher, words: StepWords): StepControl {
  const control = stepControl(voucher, words);
  // Keys that come sooner than what was opened are for it.
  return voucher.state.wanted && !control.asksAgain ? { ...control, waits: "here" } : control;
}

function stepControl(voucher: Voucher, words: StepWords): StepControl {
  const { t } = words;
  switch (voucher.state.step) {
    case "brand":
      return pickerControl(voucher.brandPicker, { choose: t("counter.next.brand"), t }, true);
    case "country":
      return pickerControl(voucher.countryPicker, { choose: t("counter.next.country"), t }, true);
    case "offer":
      return pickerControl(voucher.offerPicker, { choose: t("counter.next.offer"), t }, false);
    case "amount":
      return amountControl(voucher.amount, words, voucher.enterAmount);
    case "field":
      return fieldsControl(voucher.fields, t("counter.next.amount"), t("counter.needed.field"));
  }
}
