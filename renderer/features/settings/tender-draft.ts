import {
  LONGEST_TENDER_NAME,
  type ShopTenderInput,
  type ShopTenders,
} from "../../../server/contract/pos/shop-tenders.ts";
import { TENDER_KINDS } from "../../../server/contract/pos/tenders.ts";

/** A tender as it stands on the page before it is saved. */
export interface TenderDraft extends Omit<ShopTenderInput, "name"> {
  /** To tell rows apart: the id, or one of this page for a new tender. */
  readonly key: string;
  /** Empty where it goes by the program's word. */
  readonly name: string;
  readonly used: boolean;
  /** What it is called while nothing is saved. */
  readonly saved: string;
}

export function draftsOf({ list }: ShopTenders): TenderDraft[] {
  return list.map(({ name = "", ...tender }) => ({
    ...tender,
    name,
    saved: name,
    key: tender.tenderId,
  }));
}

export function newDraft(key: string): TenderDraft {
  return { key, name: "", saved: "", kind: "CARD", opensDrawer: false, offered: true, used: false };
}

/** The first of a kind, which every shop has: it stays, and keeps its kind. */
export function isFirst({ tenderId }: Pick<TenderDraft, "tenderId">): boolean {
  return TENDER_KINDS.some((kind) => kind === tenderId);
}

/** What is sent of it. */
export function inputOf(draft: TenderDraft): ShopTenderInput {
  const { tenderId, kind, opensDrawer, offered } = draft;
  const name = draft.name.trim();
  return {
    ...(tenderId !== undefined && { tenderId }),
    ...(name !== "" && { name }),
    kind,
    opensDrawer,
    offered,
  };
}

/** What is wrong with each name, by the row's key; `word` is what one without a name is called. */
export function nameFaults(
  drafts: readonly TenderDraft[],
  word: (draft: TenderDraft) => string,
): ReadonlyMap<string, "empty" | "twice"> {
  const faults = new Map<string, "empty" | "twice">();
  const met = new Set<string>();
  for (const draft of drafts) {
    const name = draft.name.trim();
    const called = (name === "" && isFirst(draft) ? word(draft) : name).toLowerCase();
    if (called === "" || name.length > LONGEST_TENDER_NAME) faults.set(draft.key, "empty");
    else if (met.has(called)) faults.set(draft.key, "twice");
    met.add(called);
  }
  return faults;
}

/** The list with one of them a place further up or down. */
export function moved(drafts: readonly TenderDraft[], at: number, by: -1 | 1): TenderDraft[] {
  const draft = drafts[at];
  return draft ? drafts.toSpliced(at, 1).toSpliced(at + by, 0, draft) : [...drafts];
}
