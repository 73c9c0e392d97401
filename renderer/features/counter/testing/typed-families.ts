/**
 * Families of `TypedCounter`, connected as their hooks connect them. Nine tiles replace the
 * catalog.
 */
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { PosField } from "../../../../server/contract/pos/offers.ts";
import { billControl } from "../families/bill/bill-family.tsx";
import type { BillEvent, BillPayment } from "../families/bill/bill-state.ts";
import { esimControl } from "../families/esim/esim-family.tsx";
import type { Esim, EsimEvent } from "../families/esim/esim-state.ts";
import type { DraftEvent, Drafts } from "../families/index.ts";
import type { FieldChoice } from "../families/topup/field-choices.ts";
import { viewOffers } from "../families/topup/offer-pages.ts";
import { topupControl } from "../families/topup/topup-family.tsx";
import { lastSale, type TopupEvent } from "../families/topup/topup-state.ts";
import { itemOfEarlier, type Topup } from "../families/topup/use-topup.ts";
import { voucherControl } from "../families/voucher/voucher-family.tsx";
import type { Voucher, VoucherEvent } from "../families/voucher/voucher-state.ts";
import { indexPicker } from "../picker/tiles/picker-index.ts";
import { type PickerEvent, type PickerState, viewPicker } from "../picker/tiles/picker-state.ts";
import type { LineItem } from "../sale/attempt/line-item.ts";
import type { StepControl, StepWords } from "../ui/step-control.ts";
import { topup as topupItem } from "./fixtures.ts";

const ANSWERED = {
  data: {},
  error: null,
  isPending: false,
  fetchStatus: "idle",
  failureReason: null,
  failureCount: 0,
} as const;

const NINE = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const ACCOUNT: PosField = { key: "account", label: "Account", kind: "DIGITS" };

export const CARD = { priceType: "FIXED", requiredFields: [] } as never;
const EMAIL: PosField = { key: "recipient.email", label: "E-mail", kind: "EMAIL" };
export const CARD_WITH_EMAIL = {
  priceType: "FIXED",
  price: { fixed: 5200 },
  requiredFields: [EMAIL],
} as never;
export const BILL = { priceType: "FIXED", requiredFields: [ACCOUNT] } as never;
export const CARD_LINE: LineItem = { ...topupItem, productType: "VOUCHER", fields: [] };

interface Composing {
  readonly drafts: Drafts;
  readonly dispatch: (event: DraftEvent) => void;
  readonly compose: (item: LineItem) => void;
  readonly onChoice: (id: string) => void;
}

export function typedControl(family: Family, composing: Composing, words: StepWords): StepControl {
  return {
    TOPUP: () => topupControl(topupOf(composing), words),
    VOUCHER: () => voucherControl(voucherOf(composing), words),
    ESIM: () => esimControl(esimOf(composing), words),
    BILL_PAY: () => billControl(billOf(composing), words),
  }[family]();
}

export function brandOf(brand: string) {
  return { brand, brandName: brand, brandColor: "", countries: ["GT"] } as never;
}

function pickerOf(
  state: PickerState,
  dispatch: (event: PickerEvent) => void,
  onPick: (item: string) => void,
) {
  const tiles = NINE.map((item) => ({ id: item, name: item, item }));
  return {
    state,
    view: viewPicker(indexPicker(tiles), state),
    dispatch,
    onPick,
    source: ANSWERED,
  };
}

function topupOf({ drafts, dispatch, compose, onChoice }: Composing): Topup {
  const { TOPUP: state } = drafts;
  const tell = (event: TopupEvent) => dispatch({ type: "draft", family: "TOPUP", event });
  // Any text finds nine products with unrelated names.
  const thing = { brandName: "#", called: "#" } as never;
  const choices = state.query === "" ? [] : NINE.map((id) => ({ id, thing }));
  const offers = NINE.map((offerId) => ({ offerId, subType: "Mobile Top Up" }) as never);
  return {
    state,
    dispatch: tell,
    choices,
    focused: choices[0],
    isBehind: false,
    isBegun: () => false,
    choose: (choice: FieldChoice) => onChoice(choice.id),
    offers: ANSWERED,
    view: viewOffers(offers, { subType: undefined, page: 0 }),
    cannotPay: () => false,
    pickOffer: () => compose(topupItem),
    repeat: () => {
      const earlier = lastSale(state);
      return earlier && compose(itemOfEarlier(earlier));
    },
    pickNumber: (picked: never) => tell({ type: "number-picked", phone: picked }),
    pickCarrier: (picked: never) => tell({ type: "carrier-picked", brand: picked }),
  } as unknown as Topup;
}

function voucherOf({ drafts, dispatch, compose }: Composing): Voucher {
  const { VOUCHER: state } = drafts;
  const tell = (event: VoucherEvent) => dispatch({ type: "draft", family: "VOUCHER", event });
  return {
    state,
    brandPicker: pickerOf(
      state.brands,
      (event) => tell({ type: "brands", event }),
      (item) => tell({ type: "brand-picked", brand: brandOf(item), home: "GT" }),
    ),
    offerPicker: pickerOf(
      state.tiles,
      (event) => tell({ type: "tiles", event }),
      () => {
        tell({ type: "offer-picked", offer: CARD });
        compose(CARD_LINE);
      },
    ),
    fields: {
      state: state.fields,
      fields: [EMAIL],
      onText: (text: string) => tell({ type: "field-typed", text, home: "" }),
      onEntered: () => compose(CARD_LINE),
    },
  } as unknown as Voucher;
}

function esimOf({ drafts, dispatch, compose }: Composing): Esim {
  const { ESIM: state } = drafts;
  const tell = (event: EsimEvent) => dispatch({ type: "draft", family: "ESIM", event });
  return {
    state,
    dispatch: tell,
    dataChoices: ["1", "5"],
    dayChoices: [7, 30],
    placePicker: pickerOf(
      state.places,
      (event) => tell({ type: "places", event }),
      () => tell({ type: "place-picked", place: {} as never }),
    ),
    planPicker: pickerOf(
      state.plans,
      (event) => tell({ type: "plans", event }),
      () => {
        tell({ type: "plan-picked", plan: {} as never, asksDevice: false });
        compose({ ...topupItem, productType: "ESIM", place: "Guatemala" });
      },
    ),
  } as unknown as Esim;
}

function billOf({ drafts, dispatch }: Composing): BillPayment {
  const { BILL_PAY: state } = drafts;
  const tell = (event: BillEvent) => dispatch({ type: "draft", family: "BILL_PAY", event });
  return {
    state,
    billerPicker: pickerOf(
      state.billers,
      (event) => tell({ type: "billers", event }),
      (item) => tell({ type: "biller-picked", biller: brandOf(item), home: "GT" }),
    ),
    servicePicker: pickerOf(
      state.tiles,
      (event) => tell({ type: "tiles", event }),
      () => tell({ type: "service-picked", offer: BILL, isOnly: false }),
    ),
    fields: {
      state: state.fields,
      fields: [ACCOUNT],
      onText: (text: string) => tell({ type: "field-typed", text, home: "" }),
      onEntered: () => undefined,
    },
  } as unknown as BillPayment;
}
