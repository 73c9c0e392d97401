import { useState } from "react";
import type { Environment } from "../../../server/contract/common.ts";
import type { PriceListState } from "../../../server/contract/pos/price-lists.ts";
import type { PriceList } from "../../../server/contract/pos/prices.ts";
import { keepDraft, readKeptDraft } from "./kept-draft.ts";
import {
  changesBetween,
  countOf,
  editable,
  type ListChanges,
  type ListDraft,
  rebased,
} from "./list-draft.ts";

/** The list as it is shown, with what was changed and is not saved yet. */
export interface CurrentDraft {
  readonly list: PriceList;
  /** The version that it was made from. */
  readonly version: number;
  readonly changes: ListChanges;
  readonly isChanged: boolean;
  readonly change: (list: PriceList) => void;
  readonly discard: () => void;
  /** Makes the same changes to the newest version, which another owner saved meanwhile. */
  readonly takeOver: (newest: PriceListState) => void;
}

const NO_CHANGES: ListChanges = { added: [], removed: [], changed: [], settings: [] };

/**
 * What is typed is kept until it is saved or thrown away, whatever the gateway answers meanwhile and though
 * the page is loaded anew (rules#price-draft-kept).
 */
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
