import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { alertOperations } from "../../../../server/contract/pos/alerts.ts";
import { settingsOperations } from "../../../../server/contract/pos/settings.ts";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";

/** The desktop app, not the gateway, answers this query. */
const UPDATE_KEY = ["update"];

export function useSilence() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ alertId, on }: { alertId: string; on: boolean }) =>
      call(alertOperations.silence, { params: { alertId }, body: { on } }),
    onSettled: () => invalidateAnswers(queryClient, [alertOperations.list]),
  });
}

export function clockQuery() {
  return queryOptions({ ...operationQuery(settingsOperations.getClock), staleTime: 0 });
}

export function useAcceptClock() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (now: string) => call(settingsOperations.acceptClock, { body: { now } }),
    onSettled: () =>
      invalidateAnswers(queryClient, [settingsOperations.getClock, alertOperations.list]),
  });
}

/** Query that returns whether a new version waits for the desktop app to close. */
export function updateQuery() {
  return queryOptions({
    queryKey: UPDATE_KEY,
    queryFn: async () => (await window.tillgate?.updateState()) ?? { ready: false },
    enabled: window.tillgate !== undefined,
  });
}
