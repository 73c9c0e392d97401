import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Environment } from "../../../server/contract/common.ts";
import type { Family } from "../../../server/contract/pos/families.ts";
import {
  type CatalogRow,
  officeCatalogOperations,
  type SwitchInput,
} from "../../../server/contract/pos/office-catalog.ts";
import { call } from "../../lib/api-client.ts";
import { invalidateAnswers } from "../../lib/operation-query.ts";
import { CATALOG_ANSWERS, pinsQuery } from "./api/catalog-queries.ts";

/** Switches and pins offers. Each change refreshes every list. */
export function useChoices(environment: Environment) {
  const queryClient = useQueryClient();
  const onSuccess = () => invalidateAnswers(queryClient, CATALOG_ANSWERS);
  const change = useMutation({
    mutationFn: (input: SwitchInput) =>
      call(officeCatalogOperations.switch, { params: { environment }, body: input }),
    onSuccess,
  });
  const undo = useMutation({
    mutationFn: (sequence: number) =>
      call(officeCatalogOperations.undoSwitch, {
        params: { environment, sequence: String(sequence) },
      }),
    onSuccess,
  });
  const pins = useMutation({
    mutationFn: ({ family, offerIds }: { family: Family; offerIds: string[] }) =>
      call(officeCatalogOperations.savePins, {
        params: { environment },
        body: { family, offerIds },
      }),
    onSuccess,
  });

  async function togglePin({ offerId, family, pinned }: CatalogRow): Promise<void> {
    const { list } = await queryClient.fetchQuery({ ...pinsQuery(environment), staleTime: 0 });
    const ids = list.filter((pin) => pin.family === family).map((pin) => pin.offerId);
    const others = ids.filter((id) => id !== offerId);
    await pins.mutateAsync({ family, offerIds: pinned ? others : [...others, offerId] });
  }

  return {
    change: change.mutateAsync,
    undo: undo.mutateAsync,
    savePins: pins.mutateAsync,
    togglePin,
    isBusy: change.isPending || undo.isPending || pins.isPending,
    error: change.error ?? undo.error ?? pins.error,
  };
}
