import type { Family } from "../../contract/pos/families.ts";
import { billFamily } from "./bill.ts";
import { esimFamily } from "./esim.ts";
import type { SuppliedFamily } from "./family.ts";
import { topupFamily } from "./topup.ts";
import { voucherFamily } from "./voucher.ts";

export const SUPPLIED_FAMILIES: Readonly<Record<Family, SuppliedFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};
