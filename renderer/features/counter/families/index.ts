import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { LineDetails, LineItem } from "../sale/attempt/line-item.ts";
import type { Till } from "../sale/attempt/till.ts";
import { billFamily } from "./bill/bill-family.tsx";
import { esimFamily } from "./esim/esim-family.tsx";
import { FIRST_FAMILY } from "./family-address.ts";
import type {
  ComposeContext,
  CounterWish,
  FamilyPlugin,
  FoundThing,
  OpenFamily,
} from "./interface/family.ts";
import type { SoldThing } from "./interface/sold-thing.ts";
import { topupFamily } from "./topup/topup-family.tsx";
import { voucherFamily } from "./voucher/voucher-family.tsx";

const LIST = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
} as const;

type TypesOf<Plugin> = Plugin extends FamilyPlugin<infer Types> ? Types : never;
type Types = { readonly [F in Family]: TypesOf<(typeof LIST)[F]> };

/** Code outside a family's folder uses the family only through its plugin. */
export const PLUGINS: { readonly [F in Family]: FamilyPlugin<Types[F]> } = LIST;

export function wishFor(family: Family, found: FoundThing): CounterWish {
  return PLUGINS[family].wishFor(found);
}

export function detailsOf({ productType }: LineItem): LineDetails {
  return PLUGINS[productType].line;
}

export type Drafts = { readonly [F in Family]: Types[F]["state"] };

export type DraftEvent<F extends Family = Family> = {
  readonly [K in F]: {
    readonly type: "draft";
    readonly family: K;
    readonly event: Types[K]["event"];
  };
}[F];

export const NO_DRAFTS: Drafts = {
  TOPUP: topupFamily.initial,
  VOUCHER: voucherFamily.initial,
  ESIM: esimFamily.initial,
  BILL_PAY: billFamily.initial,
};

export function reduceDraft<F extends Family>(
  drafts: Drafts,
  { family, event }: DraftEvent<F>,
): Drafts {
  return { ...drafts, [family]: PLUGINS[family].reduce(drafts[family], event) };
}

export function backInDraft<F extends Family>(drafts: Drafts, family: F): Drafts {
  return { ...drafts, [family]: PLUGINS[family].back(drafts[family]) };
}

/** Returns the drafts to which undo goes back from this line's confirm step. */
export function draftsBehind(item: LineItem): Drafts {
  return { ...NO_DRAFTS, [item.productType]: PLUGINS[item.productType].restored(item) };
}

export function draftsOfNumber(text: string): Drafts {
  const typed = PLUGINS[FIRST_FAMILY].number?.typed(text);
  return typed ? { ...NO_DRAFTS, [FIRST_FAMILY]: typed } : NO_DRAFTS;
}

export function takesNumber<F extends Family>(drafts: Drafts, family: F): boolean {
  return PLUGINS[family].number?.isOpen(drafts[family]) ?? false;
}

/** Returns the words in the field; empty if the field contains a number or is not open. */
export function wordsInField(drafts: Drafts): string {
  return takesNumber(drafts, FIRST_FAMILY)
    ? (PLUGINS[FIRST_FAMILY].number?.words(drafts[FIRST_FAMILY]) ?? "")
    : "";
}

export function opened(thing: SoldThing, till: Till): DraftEvent {
  return openedIn(thing.productType, thing, till);
}

function openedIn<F extends Family>(family: F, thing: SoldThing, till: Till): DraftEvent<F> {
  return { type: "draft", family, event: PLUGINS[family].opens(thing, till) };
}

/** Finds the family whose format matches the whole text. Returns undefined if there is none. */
export function readByFamily(text: string): DraftEvent | undefined {
  return FAMILIES.map((family) => readIn(family, text)).find((event) => event !== undefined);
}

function readIn<F extends Family>(family: F, text: string): DraftEvent<F> | undefined {
  const event = PLUGINS[family].reads?.(text);
  return event && { type: "draft", family, event };
}

export function isDraftUntouched<F extends Family>(drafts: Drafts, family: F): boolean {
  return PLUGINS[family].isUntouched(drafts[family]);
}

export function draftUnderArrows<F extends Family>(drafts: Drafts, family: F): string | undefined {
  return PLUGINS[family].underArrows(drafts[family]);
}

export function typedInDraft<F extends Family>(drafts: Drafts, family: F): unknown {
  return PLUGINS[family].typed(drafts[family]);
}

export function prefilled<F extends Family>(family: F, wish: CounterWish): DraftEvent<F> {
  return { type: "draft", family, event: PLUGINS[family].prefill(wish) };
}

interface Composing extends ComposeContext {
  readonly family: Family;
  readonly drafts: Drafts;
}

function useFamily<F extends Family>(
  family: F,
  { family: open, drafts, ...context }: Composing,
  dispatch: (event: DraftEvent<F>) => void,
): OpenFamily {
  return PLUGINS[family].useOpen({
    ...context,
    state: drafts[family],
    isOpen: open === family,
    dispatch: (event) => dispatch({ type: "draft", family, event }),
  });
}

/** Keeps each family's draft while another family is open. */
export function useFamilies(
  composing: Composing,
  dispatch: (event: DraftEvent) => void,
): Readonly<Record<Family, OpenFamily>> {
  return {
    TOPUP: useFamily("TOPUP", composing, dispatch),
    VOUCHER: useFamily("VOUCHER", composing, dispatch),
    ESIM: useFamily("ESIM", composing, dispatch),
    BILL_PAY: useFamily("BILL_PAY", composing, dispatch),
  };
}
