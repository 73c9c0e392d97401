import type { ProductFamily } from "../../../../contract/v1/offers.ts";
import { billFamily } from "./bill.ts";
import { esimFamily } from "./esim.ts";
import type { CounterFamily } from "./family.ts";
import { topupFamily } from "./topup.ts";
import { voucherFamily } from "./voucher.ts";

export const COUNTER_FAMILIES: Readonly<Record<ProductFamily, CounterFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};
