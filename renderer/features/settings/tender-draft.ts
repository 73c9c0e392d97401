import {
  LONGEST_TENDER_NAME,
  type ShopTenderInput,
  type ShopTenders,
} from "../../../server/contract/pos/shop-tenders.ts";
import { TENDER_KINDS } from "../../../server/contract/pos/tenders.ts";

export interface TenderDraft extends Omit<ShopTenderInput, "name"> {
  /** The tender's id, or a temporary key for a new tender. */
  readonly key: string;
  /** Empty for the standard name of the kind. */
  readonly name: string;
  readonly used: boolean;
  /** Saved name, which identifies the row until another name is saved. */
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

/**
 * Returns whether this is the built-in tender of its kind. It cannot be removed, and its kind is
 * fixed.
 */
export function isFirst({ tenderId }: Pick<TenderDraft, "tenderId">): boolean {
  return TENDER_KINDS.some((kind) => kind === tenderId);
}

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

/** @param word returns the standard name of a tender */
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

export function moved(drafts: readonly TenderDraft[], at: number, by: -1 | 1): TenderDraft[] {
  const draft = drafts[at];
  return draft ? drafts.toSpliced(at, 1).toSpliced(at + by, 0, draft) : [...drafts];
}
