import { IconDeviceMobilePlus } from "@tabler/icons-react";
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";
import { typedNumber } from "../../../../lib/phone-format.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import { NumbersSold } from "./numbers-sold.tsx";
import { topupControl } from "./topup-control.ts";
import { topupLine } from "./topup-line.tsx";
import { topupReducer } from "./topup-machine.ts";
import { INITIAL_TOPUP, isOfBrand, type TopupEvent, type TopupTypes } from "./topup-state.ts";
import { TopupSteps } from "./topup-steps.tsx";
import { readTyped } from "./typed-text.ts";
import { useTopup } from "./use-topup.ts";

function numberTyped(text: string): TopupEvent {
  return { type: "number-typed", digits: typedNumber(text) };
}

/** The calling code of a country, as it might be typed; empty where there is none. */
function codeOf(country: string): string {
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : "";
}

function useOpenTopup(context: FamilyContext<TopupTypes>): OpenFamily {
  const { state, words, undo } = context;
  const topup = useTopup(context);
  return {
    control: topupControl(topup, words),
    pause: isOfBrand(state.step) ? topup.pause : undefined,
    showsPause: state.step === "number",
    ignoresPause: state.knownNumber !== undefined,
    openOthers: topup.openOthers,
    takeBack: topup.takeBack,
    steps: (control) => <TopupSteps topup={topup} control={control} onUndo={undo} />,
  };
}

/** Money for a phone: the number first. */
export const topupFamily: FamilyPlugin<TopupTypes> = {
  key: "F1",
  sell: "topup",
  Icon: IconDeviceMobilePlus,
  initial: INITIAL_TOPUP,
  reduce: topupReducer,
  back: (state) => topupReducer(state, { type: "back" }),
  isUntouched: ({ digits, query, knownNumber, focusedTile, contacts }) =>
    digits === "" &&
    query === "" &&
    knownNumber === undefined &&
    focusedTile === undefined &&
    !contacts,
  underArrows: ({ step, knownNumber, focusedTile }) =>
    step === "number" ? (knownNumber ?? focusedTile) : focusedTile,
  typed: ({ digits, query, focusedTile, amount, contacts }) => [
    digits,
    query,
    focusedTile,
    amount,
    contacts,
  ],
  restored: ({ number = "" }) => ({ ...INITIAL_TOPUP, digits: number.slice(1) }),
  prefill: ({ number = "" }) => numberTyped(number),
  // A top-up begins with its number, of which the country is known.
  opens: ({ country }, till) => numberTyped(country === till.country ? "" : codeOf(country)),
  wishFor: ({ country }) => ({
    number: codeOf(country),
  }),
  number: {
    typed: (text) => topupReducer(INITIAL_TOPUP, readTyped(text, INITIAL_TOPUP)),
    isOpen: ({ step }) => step === "number",
    words: ({ query }) => query,
  },
  useOpen: useOpenTopup,
  line: topupLine,
  Sold: NumbersSold,
  hint: (t) => t("counter.panelEmptyHint"),
};
