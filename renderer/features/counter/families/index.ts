import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { LineItem } from "../sale/attempt/line-item.ts";
import type { Till } from "../sale/attempt/till.ts";
import type { LineDetails } from "../sale/confirm/line-details.ts";
import { billFamily } from "./bill/bill-family.tsx";
import { esimFamily } from "./esim/esim-family.tsx";
import type { CounterWish } from "./interface/counter-wish.ts";
import type { ComposeContext, FamilyPlugin, FoundThing, OpenFamily } from "./interface/family.ts";
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

/** The one list of what the counter sells: all else that a family is, is behind its entry. */
export const PLUGINS: { readonly [F in Family]: FamilyPlugin<Types[F]> } = LIST;

/** The family that each customer begins with, and whose number may be typed anywhere. */
export const FIRST_FAMILY = "TOPUP" satisfies Family;

/** How an address names a family. */
export type SellParam = Types[Family]["sell"];

export function familyOfKey(key: string): Family | undefined {
  return FAMILIES.find((family) => PLUGINS[family].key === key);
}

/** The family an address names; the first when it names none. */
export function familyOfParam(sell: unknown): Family {
  return FAMILIES.find((family) => PLUGINS[family].sell === sell) ?? FIRST_FAMILY;
}

export function paramOfFamily(family: Family): SellParam {
  return PLUGINS[family].sell;
}

export function wishFor(family: Family, found: FoundThing): CounterWish {
  return PLUGINS[family].wishFor(found);
}

/** What the confirm step shows of a line. */
export function detailsOf({ productType }: LineItem): LineDetails {
  return PLUGINS[productType].line;
}

/** What is being composed of each family. */
export type Drafts = { readonly [F in Family]: Types[F]["state"] };

/** Something that happens to what is composed of one family. */
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

/** One step back in what is composed of a family. */
export function backInDraft<F extends Family>(drafts: Drafts, family: F): Drafts {
  return { ...drafts, [family]: PLUGINS[family].back(drafts[family]) };
}

/** What stands behind the confirm step of a line. */
export function draftsBehind(item: LineItem): Drafts {
  return { ...NO_DRAFTS, [item.productType]: PLUGINS[item.productType].restored(item) };
}

/** A number that was typed, and nothing else. */
export function draftsOfNumber(text: string): Drafts {
  const typed = PLUGINS[FIRST_FAMILY].number?.typed(text);
  return typed ? { ...NO_DRAFTS, [FIRST_FAMILY]: typed } : NO_DRAFTS;
}

/** Whether the open step of a family takes a number. */
export function takesNumber<F extends Family>(drafts: Drafts, family: F): boolean {
  return PLUGINS[family].number?.isOpen(drafts[family]) ?? false;
}

/** What stands in the one field in place of a number. */
export function wordsInField(drafts: Drafts): string {
  return takesNumber(drafts, FIRST_FAMILY)
    ? (PLUGINS[FIRST_FAMILY].number?.words(drafts[FIRST_FAMILY]) ?? "")
    : "";
}

/** Begins a line of what was found in the one field. */
export function opened(thing: SoldThing, till: Till): DraftEvent {
  return openedIn(thing.productType, thing, till);
}

function openedIn<F extends Family>(family: F, thing: SoldThing, till: Till): DraftEvent<F> {
  return { type: "draft", family, event: PLUGINS[family].opens(thing, till) };
}

/** Begins a line of the family that all of the text belongs to, if there is one. */
export function readByFamily(text: string): DraftEvent | undefined {
  return FAMILIES.map((family) => readIn(family, text)).find((event) => event !== undefined);
}

function readIn<F extends Family>(family: F, text: string): DraftEvent<F> | undefined {
  const event = PLUGINS[family].reads?.(text);
  return event && { type: "draft", family, event };
}

/** Nothing of a line of the family was chosen or typed yet. */
export function isDraftUntouched<F extends Family>(drafts: Drafts, family: F): boolean {
  return PLUGINS[family].isUntouched(drafts[family]);
}

export function draftUnderArrows<F extends Family>(drafts: Drafts, family: F): string | undefined {
  return PLUGINS[family].underArrows(drafts[family]);
}

export function typedInDraft<F extends Family>(drafts: Drafts, family: F): unknown {
  return PLUGINS[family].typed(drafts[family]);
}

/** Types what was searched for elsewhere into the first step of a family. */
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

/** Every family joined to the gateway: what is typed in one stays while another is open. */
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
