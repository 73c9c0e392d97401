import { useState } from "react";
import type { Environment } from "../../../server/contract/common.ts";
import type { PriceListState } from "../../../server/contract/pos/price-lists.ts";
import type { PriceList } from "../../../server/contract/pos/prices.ts";
import {
  changesBetween,
  countOf,
  editable,
  type ListChanges,
  type ListDraft,
  rebased,
} from "./list-draft.ts";

/** A draft stored in another version of the format is discarded. */
const FORM = 1;

/** The list as shown, with unsaved changes. */
export interface CurrentDraft {
  readonly list: PriceList;
  readonly version: number;
  readonly changes: ListChanges;
  readonly isChanged: boolean;
  readonly change: (list: PriceList) => void;
  readonly discard: () => void;
  /** Applies the draft to the newest version, which another owner has saved. */
  readonly takeOver: (newest: PriceListState) => void;
}

const NO_CHANGES: ListChanges = { added: [], removed: [], changed: [], settings: [] };

/** Stores unsaved changes until they are saved or discarded, even across reloads. */
export function useListDraft(environment: Environment, state: PriceListState): CurrentDraft {
  const [draft, setShown] = useState(() => readKeptDraft(environment));
  const setDraft = (next: ListDraft | undefined) => {
    setShown(next);
    keepDraft(environment, next);
  };
  const base = draft?.base ?? { version: state.newest, list: editable(state.list) };
  const changes = draft ? changesBetween(draft.base.list, draft.list) : NO_CHANGES;
  return {
    list: draft?.list ?? base.list,
    version: base.version,
    changes,
    isChanged: countOf(changes) > 0,
    change: (list) => setDraft({ base, list }),
    discard: () => setDraft(undefined),
    takeOver: (newest) => {
      const onto = { version: newest.newest, list: editable(newest.list) };
      setDraft(draft && rebased(draft, onto));
    },
  };
}

function keyOf(environment: Environment): string {
  return `tillgate.price-list.${environment}`;
}

export function readKeptDraft(environment: Environment): ListDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(environment)) ?? "null");
    return isKept(stored) ? stored.draft : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(environment: Environment, draft: ListDraft | undefined): void {
  try {
    if (draft) localStorage.setItem(keyOf(environment), JSON.stringify({ form: FORM, draft }));
    else localStorage.removeItem(keyOf(environment));
  } catch {
    // Without browser storage, the draft is lost with the page.
  }
}

function isKept(value: unknown): value is { draft: ListDraft } {
  if (!isObject(value) || value.form !== FORM || !isObject(value.draft)) return false;
  const { base, list } = value.draft;
  return isObject(base) && typeof base.version === "number" && isList(base.list) && isList(list);
}

function isList(value: unknown): boolean {
  return isObject(value) && Array.isArray(value.rules);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
