import { IconGift } from "@tabler/icons-react";
import { isFreshPicker } from "../../picker/tiles/picker-state.ts";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import { wantedOf } from "../interface/sold-thing.ts";
import { useVoucher } from "./use-voucher.ts";
import { voucherControl } from "./voucher-control.ts";
import { voucherReducer } from "./voucher-machine.ts";
import { INITIAL_VOUCHER, type VoucherTypes } from "./voucher-state.ts";
import { VoucherSteps } from "./voucher-steps.tsx";

/** Fields of a voucher that say where it goes, as a phone number does. */
const ACCOUNT_KEY = /msisdn|phone|account|meter|player/i;

const line: LineDetails = {
  headOf: ({ fields = [], brandName }) =>
    fields.find(({ key }) => ACCOUNT_KEY.test(key))?.shown ?? brandName,
};

function useOpenVoucher(context: FamilyContext<VoucherTypes>): OpenFamily {
  const { state, dispatch, words, undo } = context;
  const voucher = useVoucher(context);
  return {
    control: voucherControl(voucher, words),
    pause: state.step === "brand" ? undefined : voucher.pause,
    openOthers: () => dispatch({ type: "country-opened" }),
    steps: (control) => <VoucherSteps voucher={voucher} control={control} onUndo={undo} />,
  };
}

/** Gift cards and game credit: the brand first. */
export const voucherFamily: FamilyPlugin<VoucherTypes> = {
  key: "F2",
  sell: "voucher",
  Icon: IconGift,
  initial: INITIAL_VOUCHER,
  reduce: voucherReducer,
  back: (state) => voucherReducer(state, { type: "back" }),
  isUntouched: ({ step, brands, wanted }) =>
    step === "brand" && isFreshPicker(brands) && wanted === undefined,
  underArrows: ({ step, brands, tiles }) => (step === "brand" ? brands : tiles).focused,
  typed: ({ brands, tiles, amount, fields }) => [brands, tiles, amount, fields],
  restored: () => INITIAL_VOUCHER,
  prefill: ({ find = "" }) => ({ type: "brands", event: { type: "query-typed", text: find } }),
  wishFor: ({ brandName }) => ({ find: brandName }),
  opens: (thing) => ({ type: "wanted", wanted: wantedOf(thing) }),
  useOpen: useOpenVoucher,
  line,
};
