import { IconFileInvoice } from "@tabler/icons-react";
import { isFreshPicker } from "../../picker/tiles/picker-state.ts";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import { wantedOf } from "../interface/sold-thing.ts";
import { billControl } from "./bill-control.ts";
import { billReducer } from "./bill-machine.ts";
import { type BillTypes, INITIAL_BILL } from "./bill-state.ts";
import { BillSteps } from "./bill-steps.tsx";
import { useBill } from "./use-bill.ts";

const line: LineDetails = {
  headOf: ({ fields: [first] = [], brandName }) => first?.shown ?? brandName,
};

function useOpenBill(context: FamilyContext<BillTypes>): OpenFamily {
  const { state, dispatch, words, undo } = context;
  const bill = useBill(context);
  return {
    control: billControl(bill, words),
    pause: state.step === "biller" ? undefined : bill.pause,
    openOthers: () => dispatch({ type: "country-opened" }),
    steps: (control) => <BillSteps bill={bill} control={control} onUndo={undo} />,
  };
}

/** A bill that the customer brings: the biller first. */
export const billFamily: FamilyPlugin<BillTypes> = {
  key: "F4",
  sell: "bill",
  Icon: IconFileInvoice,
  initial: INITIAL_BILL,
  reduce: billReducer,
  back: (state) => billReducer(state, { type: "back" }),
  isUntouched: ({ step, billers, wanted }) =>
    step === "biller" && isFreshPicker(billers) && wanted === undefined,
  underArrows: ({ step, billers, tiles }) => (step === "biller" ? billers : tiles).focused,
  typed: ({ billers, tiles, amount, fields }) => [billers, tiles, amount, fields],
  restored: () => INITIAL_BILL,
  prefill: ({ find = "" }) => ({ type: "billers", event: { type: "query-typed", text: find } }),
  wishFor: ({ brandName }) => ({ find: brandName }),
  opens: (thing) => ({ type: "wanted", wanted: wantedOf(thing) }),
  useOpen: useOpenBill,
  line,
};
