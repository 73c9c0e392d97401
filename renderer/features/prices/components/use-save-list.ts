import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type PriceListState,
  priceOperations,
} from "../../../../server/contract/pos/price-lists.ts";
import { announce } from "../../../lib/announcer.ts";
import { ApiError, call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { PRICE_ANSWERS, priceListQuery } from "../api/price-queries.ts";
import type { CurrentDraft } from "../use-list-draft.ts";

export interface Saving {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly save: (how: SaveChoice) => void;
  readonly reset: () => void;
  /** Applies the draft to the list that another owner has saved since. */
  readonly goOn: (() => void) | undefined;
}

export interface SaveChoice {
  /** Undefined for an immediate start. */
  readonly startsAt?: string | undefined;
  readonly note: string;
}

/** Returns whether another owner has saved a list since the draft was started. */
export function isChangedMeanwhile(error: Error | null): boolean {
  return error instanceof ApiError && error.errorCode === "PRICE_LIST_CHANGED";
}

function useSaved(environment: Environment, onSaved: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return async (state: PriceListState) => {
    queryClient.setQueryData(priceListQuery(environment).queryKey, state);
    announce(t("office.prices.saved"));
    onSaved();
    await invalidateAnswers(queryClient, PRICE_ANSWERS);
  };
}

export function useSaveList(
  environment: Environment,
  draft: CurrentDraft,
  onSaved: () => void,
): Saving {
  const queryClient = useQueryClient();
  const saved = useSaved(environment, () => {
    draft.discard();
    onSaved();
  });
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: ({ startsAt, note }: SaveChoice) =>
      call(priceOperations.save, {
        params: { environment },
        body: {
          list: draft.list,
          base: draft.version,
          ...(startsAt !== undefined && { startsAt }),
          ...(note !== "" && { note }),
        },
      }),
    onSuccess: saved,
  });
  async function goOn() {
    const newest = await call(priceOperations.get, { params: { environment } });
    queryClient.setQueryData(priceListQuery(environment).queryKey, newest);
    draft.takeOver(newest);
    reset();
  }
  return {
    isPending,
    error,
    save: mutate,
    reset,
    goOn: () => void goOn(),
  };
}

export function useUndoList(
  environment: Environment,
  { newest }: PriceListState,
  to: number,
  onSaved: () => void,
): Saving {
  const saved = useSaved(environment, onSaved);
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: () =>
      call(priceOperations.undo, { params: { environment }, body: { base: newest, to } }),
    onSuccess: saved,
  });
  return { isPending, error, save: () => mutate(), reset, goOn: undefined };
}
