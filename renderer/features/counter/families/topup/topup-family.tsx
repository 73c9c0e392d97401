import { IconAlertTriangle, IconDeviceMobilePlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";
import { useTranslation } from "react-i18next";
import type { PosPhone } from "../../../../../server/contract/pos/counter.ts";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import { groupTyped, typedNumber } from "../../../../lib/phone-format.ts";
import { phoneQuery } from "../../api/counter-queries.ts";
import { amountReducer, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import type { FamilyContext, FamilyPlugin, LineDraft, OpenFamily } from "../interface/family.ts";
import { NameButton } from "./favourites/name-button.tsx";
import { topupControl } from "./topup-control.ts";
import {
  currentBrand,
  INITIAL_TOPUP,
  isOfBrand,
  needsChoice,
  type TopupEvent,
  type TopupState,
  type TopupTypes,
} from "./topup-state.ts";
import { TopupSteps } from "./topup-steps.tsx";
import { readTyped } from "./typed-text.ts";
import { type Topup, useTopup } from "./use-topup.ts";

const LEADS_TO_CARRIERS: ReadonlySet<TopupState["step"]> = new Set(["number", "offer", "amount"]);

const topupLine: LineDetails = {
  headOf: ({ formatted = "" }) => formatted,
  Beside: CarrierDoubt,
  Below: NumberName,
};

function numberTyped(text: string): TopupEvent {
  return { type: "number-typed", digits: typedNumber(text) };
}

/** Returns the calling code with "+"; empty if the country is not supported. */
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
    draft: draftOf(topup),
    steps: (control) => <TopupSteps topup={topup} control={control} onUndo={undo} />,
  };
}

function draftOf({ state, brand, homeCountry, focused }: Topup): LineDraft | undefined {
  if (state.digits === "" || focused) {
    return undefined;
  }
  const { brand: code = "", brandName = "", brandColor = "" } = brand ?? {};
  const typed = groupTyped(state.digits, homeCountry);
  const title = state.phone?.valid
    ? state.phone.formatted
    : `${typed.addsPlus ? "+" : ""}${typed.formatted}`;
  return { brand: code, brandName, brandColor, title };
}

export const topupFamily: FamilyPlugin<TopupTypes> = {
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
  // The product determines the country, so a foreign number starts with the calling code.
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
};

/** Offers to save each number under a name for the customer's next visit. */
function NumbersSold({ lines }: { readonly lines: readonly SaleLine[] }) {
  const numbers = new Map(
    lines
      .filter(({ outcome }) => outcome !== "NOT_DELIVERED")
      .map((line) => [line.recipientPhoneNumber, line.recipientFormatted]),
  );
  return [...numbers].map(([number, formatted]) =>
    number === undefined ? null : (
      <NameButton key={number} number={number} formatted={formatted} ofSeveral={numbers.size > 1} />
    ),
  );
}

/** Only warns: customers port numbers, so the carrier that the clerk chose may be right. */
function CarrierDoubt({ item }: { readonly item: LineItem }) {
  const { t } = useTranslation();
  const { data } = useQuery(phoneQuery(item.number ?? ""));
  const detected = data?.detected;
  const looksLike = detected?.brand === item.brand ? detected.looksLike : detected?.brandName;
  return looksLike === undefined ? null : (
    <span className="inline-row gap-1 wait size-body medium">
      <IconAlertTriangle size="1.25rem" aria-hidden="true" />
      {t("counter.looksLike", { brand: looksLike })}
    </span>
  );
}

function NumberName({ item: { number = "", formatted = "" } }: { readonly item: LineItem }) {
  return (
    <div>
      <NameButton key={number} number={number} formatted={formatted} />
    </div>
  );
}

/**
 * Composes one top-up:
 *
 *   number ─► offer ─► (the line)      a known number or "same as last time" is a line at once
 *     │  ▲      ▲  │
 *     ▼  │      │  ▼
 *   carrier ────┘ amount ─► (the line)
 *
 * Digits that match two numbers lead from `number` to `country`, and the picked number continues to
 * its offers. The sale's state machine receives the line. This state machine keeps its own state,
 * so that undo in the confirm step returns here.
 */
export function topupReducer(state: TopupState, event: TopupEvent): TopupState {
  switch (event.type) {
    case "number-typed":
      return event.digits === state.digits && state.query === ""
        ? withoutChoice(state)
        : { ...INITIAL_TOPUP, digits: event.digits };
    case "phone-known":
      return phoneKnown(state, event.digits, event.phone);
    case "name-typed":
      return { ...INITIAL_TOPUP, query: event.query };
    case "contacts-read": {
      const [only, ...others] = event.contacts;
      return only && others.length === 0
        ? { ...INITIAL_TOPUP, digits: only.number }
        : { ...INITIAL_TOPUP, contacts: event.contacts };
    }
    case "known-focused":
      return { ...state, knownNumber: event.number, focusedTile: undefined };
    case "number-entered":
      return state.step === "number" ? leaveNumber(state) : state;
    case "country-opened":
      return state.step === "number" && state.phone?.choices ? openCountries(state) : state;
    case "number-picked":
      return state.step === "country"
        ? leaveNumber({
            ...INITIAL_TOPUP,
            digits: event.phone.number,
            phone: event.phone,
          })
        : state;
    case "carrier-opened":
      return openCarriers(state);
    case "carrier-picked":
      return state.step === "carrier" ? openOffers({ ...state, chosenBrand: event.brand }) : state;
    case "tab-picked":
      return { ...state, subType: event.subType, page: 0, focusedTile: undefined };
    case "page-turned":
      return { ...state, page: event.page, focusedTile: undefined };
    case "tile-focused":
      return { ...state, focusedTile: event.id, knownNumber: undefined };
    case "range-picked":
      return state.step === "offer"
        ? {
            ...state,
            step: "amount",
            amountOffer: event.offer,
            amount: NO_AMOUNT,
          }
        : state;
    case "amount-typed":
    case "amount-side":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "back":
      return back(state);
    case "reset":
      return INITIAL_TOPUP;
  }
}

function openCarriers(state: TopupState): TopupState {
  if (!LEADS_TO_CARRIERS.has(state.step) || !state.phone || state.phone.brands.length === 0) {
    return state;
  }
  return {
    ...withNumber(state),
    step: "carrier",
    carrierFrom: state.step === "number" ? "number" : "offer",
    wantsOn: false,
    page: 0,
    focusedTile: undefined,
    amountOffer: undefined,
  };
}

function phoneKnown(state: TopupState, digits: string, phone: PosPhone): TopupState {
  if (digits !== state.digits) {
    return state;
  }
  const known = { ...state, phone };
  return state.wantsOn && state.step === "number" ? leaveNumber(known) : known;
}

/** Opens the carriers if the gateway detected no carrier. */
function leaveNumber(state: TopupState): TopupState {
  if (state.digits === "") {
    return state;
  }
  if (!state.phone) {
    return { ...state, wantsOn: true };
  }
  if (needsChoice(state.phone)) {
    return openCountries(state);
  }
  if (!state.phone.valid || state.phone.brands.length === 0) {
    return { ...state, wantsOn: false };
  }
  return currentBrand(state) ? openOffers(state) : openCarriers(state);
}

function openCountries(state: TopupState): TopupState {
  return { ...state, step: "country", wantsOn: false, page: 0, focusedTile: undefined };
}

function withNumber(state: TopupState): TopupState {
  return state.phone?.valid ? { ...state, digits: state.phone.number } : state;
}

function openOffers(state: TopupState): TopupState {
  return {
    ...withNumber(state),
    step: "offer",
    wantsOn: false,
    subType: undefined,
    page: 0,
    focusedTile: undefined,
  };
}

function back(state: TopupState): TopupState {
  switch (state.step) {
    case "number":
      return hasChoice(state) ? withoutChoice(state) : INITIAL_TOPUP;
    case "country":
      return { ...state, step: "number", focusedTile: undefined };
    case "carrier":
      return { ...state, step: state.carrierFrom, page: 0, focusedTile: undefined };
    case "offer":
      return { ...state, step: "number", focusedTile: undefined };
    case "amount":
      return { ...state, step: "offer", amountOffer: undefined, amount: NO_AMOUNT };
  }
}

function hasChoice({ knownNumber, focusedTile }: TopupState): boolean {
  return knownNumber !== undefined || focusedTile !== undefined;
}

function withoutChoice(state: TopupState): TopupState {
  return { ...state, knownNumber: undefined, focusedTile: undefined };
}
