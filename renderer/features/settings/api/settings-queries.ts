import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { type AlertMail, alertOperations } from "../../../../server/contract/pos/alerts.ts";
import { backupOperations } from "../../../../server/contract/pos/backups.ts";
import { keyOperations } from "../../../../server/contract/pos/keys.ts";
import { mailOperations } from "../../../../server/contract/pos/mail.ts";
import {
  receiptPageOperations,
  type SentReceipt,
} from "../../../../server/contract/pos/receipt-pages.ts";
import { sandboxOperations } from "../../../../server/contract/pos/sandboxes.ts";
import { type PosSettings, settingsOperations } from "../../../../server/contract/pos/settings.ts";
import { shopTenderOperations } from "../../../../server/contract/pos/shop-tenders.ts";
import { supportOperations } from "../../../../server/contract/pos/support.ts";
import { webhookOperations } from "../../../../server/contract/pos/webhooks.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

const WHILE_RUNNING_MS = 1_000;
const WHILE_SENT_MS = 2_000;
const DELIVERIES_SHOWN = 20;

/** Uses a separate query key, because the receipt form caches only a part of the same answer. */
export function settingsQuery() {
  return queryOptions({
    queryKey: queryKeyOf(settingsOperations.get, {}, "all"),
    queryFn: ({ signal }) => call(settingsOperations.get, { signal }),
    gcTime: 0,
  });
}

/** Changes the given settings and leaves all others unchanged. */
export async function changeSettings(change: Partial<PosSettings>): Promise<PosSettings> {
  const settings = await call(settingsOperations.get);
  return call(settingsOperations.change, { body: { ...settings, ...change } });
}

/** For owners. The counter receives its tenders with the status. */
export function tendersQuery() {
  return queryOptions({ ...operationQuery(shopTenderOperations.list), gcTime: 0 });
}

export function keysQuery() {
  return operationQuery(keyOperations.list);
}

/** Polls, because the clocks of sandboxes run. */
export function sandboxesQuery() {
  return queryOptions({
    ...operationQuery(sandboxOperations.list),
    refetchInterval: WHILE_SENT_MS,
  });
}

/** Opens the sandbox, so it is not polled. */
export function sandboxWalletQuery(name: string) {
  return queryOptions(operationQuery(sandboxOperations.getWallet, { params: { name } }));
}

/**
 * Polls while a delivery is waiting.
 * @param sandbox name of a sandbox; undefined for the shop's own deliveries
 */
export function deliveriesQuery(sandbox?: string) {
  const query = { _limit: DELIVERIES_SHOWN, _offset: 0 };
  return queryOptions({
    ...(sandbox === undefined
      ? operationQuery(webhookOperations.listDeliveries, { query })
      : operationQuery(sandboxOperations.listDeliveries, { params: { name: sandbox }, query })),
    refetchInterval: (asked) =>
      asked.state.data?.list.some(({ state }) => state === "PENDING") ? WHILE_SENT_MS : false,
  });
}

/** Polls while a receipt is waiting. */
export function sentReceiptsQuery(state: SentReceipt["state"] | undefined) {
  const operation = receiptPageOperations.listSent;
  return infiniteQueryOptions({
    queryKey: queryKeyOf(operation, { query: { state, limit: DELIVERIES_SHOWN } }),
    queryFn: ({ pageParam, signal }) =>
      call(operation, { query: { state, before: pageParam, limit: DELIVERIES_SHOWN }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ list }) => list.some((sent) => sent.state === "WAITING"))
        ? WHILE_SENT_MS
        : false,
  });
}

/** Polls while a backup is in progress. */
export function backupsQuery() {
  return queryOptions({
    ...operationQuery(backupOperations.list),
    refetchInterval: ({ state: { data } }) => {
      const { work, second } = data ?? {};
      const isCopying = second && second.copiedAt === undefined && second.problem === undefined;
      return work?.state === "RUNNING" || isCopying ? WHILE_RUNNING_MS : false;
    },
  });
}

export function networkQuery() {
  return operationQuery(supportOperations.getNetwork);
}

/** Polls while a mail is waiting. */
export function mailQuery() {
  return queryOptions({
    ...operationQuery(mailOperations.get),
    refetchInterval: ({ state }) =>
      state.data?.list.some((mail) => mail.state === "WAITING") ? 5 * WHILE_RUNNING_MS : false,
  });
}

export function mailServerQuery() {
  return queryOptions({
    ...operationQuery(mailOperations.get),
    select: ({ server }) => server !== undefined,
  });
}

export function alertMailQuery() {
  return queryOptions(operationQuery(alertOperations.getMail));
}

export function useSaveAlertMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: AlertMail) => call(alertOperations.setMail, { body }),
    onSuccess: (saved) => queryClient.setQueryData(alertMailQuery().queryKey, saved),
  });
}
