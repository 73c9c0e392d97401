import { amountControl } from "../../picker/amount/use-amount.ts";
import { fieldsControl } from "../../picker/fields/fields-control.ts";
import { wallControl } from "../../picker/wall/wall-control.ts";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { Voucher } from "./use-voucher.ts";

/** What the keys do while a voucher is composed. */
export function voucherControl(voucher: Voucher, words: StepWords): StepControl {
  const { t } = words;
  switch (voucher.state.step) {
    case "brand":
      return wallControl(voucher.brandWall, { choose: t("counter.next.brand"), t }, true);
    case "country":
      return wallControl(voucher.countryWall, { choose: t("counter.next.country"), t }, true);
    case "offer":
      return wallControl(voucher.offerWall, { choose: t("counter.next.offer"), t }, false);
    case "amount":
      return amountControl(voucher.amount, words, voucher.enterAmount);
    case "field":
      return fieldsControl(voucher.fields, t("counter.next.amount"), t("counter.needed.field"));
  }
}
