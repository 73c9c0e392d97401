import type { TopupSubtype } from "../../../server/contract/common.ts";
import type {
  PosBrand,
  PosEarlierSale,
  PosOffer,
  PosPhone,
  PosQuote,
} from "../../../server/contract/pos/counter.ts";
import type { Attempt } from "./attempt-store.ts";
import type { SaleContext } from "./basket.ts";

/** Where the selling path stands; `counter-machine.ts` says how it moves. */
export type CounterStep = "number" | "carrier" | "offer" | "amount" | "confirm";

/** What a typed amount names: what arrives on the phone, or what the customer pays. */
export type AmountSide = "ZEND" | "PRICE";

export interface CounterState {
  readonly step: CounterStep;
  readonly digits: string;
  /** What the gateway knows of `digits`; undefined until it has answered for exactly these. */
  readonly phone: PosPhone | undefined;
  /** Enter was pressed before the gateway knew the number: go on as soon as it does. */
  readonly wantsOn: boolean;
  /** The carrier the clerk chose over the detected one. */
  readonly chosenBrand: PosBrand | undefined;
  /** Index into the recents while one is focused. */
  readonly recent: number | undefined;
  readonly subType: TopupSubtype | undefined;
  readonly page: number;
  /** The tile under the arrow keys: an offer's id, or a brand's while carriers are shown. */
  readonly focusedTile: string | undefined;
  /** Where the carriers were opened from, and so where `back` leads. */
  readonly carrierFrom: "number" | "offer";
  readonly amountOffer: PosOffer | undefined;
  readonly amountSide: AmountSide;
  readonly amountText: string;
  readonly attempt: Attempt | undefined;
  /** The price was another when the confirm step opened, or when payment was tried. */
  readonly priceMoved: boolean;
  /** What the clerk typed as cash received; empty is exact. */
  readonly tenderText: string;
  readonly paying: boolean;
  readonly error: unknown;
}

export const INITIAL_COUNTER: CounterState = {
  step: "number",
  digits: "",
  phone: undefined,
  wantsOn: false,
  chosenBrand: undefined,
  recent: undefined,
  subType: undefined,
  page: 0,
  focusedTile: undefined,
  carrierFrom: "number",
  amountOffer: undefined,
  amountSide: "ZEND",
  amountText: "",
  attempt: undefined,
  priceMoved: false,
  tenderText: "",
  paying: false,
  error: undefined,
};

export type CounterEvent =
  | { readonly type: "number-typed"; readonly digits: string }
  | { readonly type: "phone-known"; readonly digits: string; readonly phone: PosPhone }
  | { readonly type: "recent-focused"; readonly index: number | undefined }
  | { readonly type: "number-entered" }
  | { readonly type: "carrier-opened" }
  | { readonly type: "carrier-picked"; readonly brand: PosBrand }
  | { readonly type: "tab-picked"; readonly subType: TopupSubtype }
  | { readonly type: "page-turned"; readonly page: number }
  | { readonly type: "tile-focused"; readonly id: string | undefined }
  | { readonly type: "offer-picked"; readonly offer: PosOffer; readonly context: SaleContext }
  | { readonly type: "amount-typed"; readonly text: string }
  | { readonly type: "amount-side"; readonly side: AmountSide }
  | { readonly type: "amount-entered"; readonly quote: PosQuote; readonly context: SaleContext }
  | { readonly type: "repeated"; readonly earlier: PosEarlierSale; readonly context: SaleContext }
  | { readonly type: "quoted"; readonly saleId: string; readonly quote: PosQuote }
  | { readonly type: "quote-failed"; readonly saleId: string; readonly error: unknown }
  | { readonly type: "tender-typed"; readonly text: string }
  | { readonly type: "pay" }
  | { readonly type: "answered" }
  | { readonly type: "refused"; readonly error: unknown; readonly price?: number }
  | { readonly type: "restored"; readonly attempt: Attempt }
  | { readonly type: "back" }
  | { readonly type: "reset" };

/** The brand the offers are of: the chosen one, else the detected one when it is sold here. */
export function currentBrand({ chosenBrand, phone }: CounterState): PosBrand | undefined {
  return chosenBrand ?? phone?.brands.find(({ brand }) => brand === phone.detected?.brand);
}

/** The latest sale to this very number, which "0" repeats. */
export function lastSale({ phone }: CounterState): PosEarlierSale | undefined {
  return phone?.earlier[0];
}
