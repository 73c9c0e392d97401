import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type FirstSaleInput,
  type OwnerConfirmation,
  type TillEnvironment,
  type TillEnvironmentInput,
  tillEnvironmentOperations,
} from "../../../../server/contract/pos/till-environment.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

/** Long, because the check queries the provider, which may be slow. */
const CHECK_TIMEOUT_MS = 60_000;
/** Polling interval: running checks end without an action of the owner. */
const LOOK_AGAIN_MS = 15_000;
/** Polling interval while the owner waits for a result. */
const UNDER_WAY_MS = 2000;

/** Queries of this screen. Corrections on other screens may change the answers. */
export const GOING_LIVE_ANSWERS = [tillEnvironmentOperations.get, tillEnvironmentOperations.check];

export function tillStateQuery() {
  return queryOptions({
    ...operationQuery(tillEnvironmentOperations.get),
    refetchInterval: ({ state }) =>
      state.data?.backupTrial?.state === "RUNNING" ? UNDER_WAY_MS : LOOK_AGAIN_MS,
  });
}

/** The results are loaded each time the screen opens. */
export function readinessQuery(to: Environment) {
  return queryOptions({
    queryKey: queryKeyOf(tillEnvironmentOperations.check, { body: { to } }),
    queryFn: ({ signal }) =>
      call(tillEnvironmentOperations.check, {
        body: { to },
        signal,
        timeoutMs: CHECK_TIMEOUT_MS,
      }),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.checks.some(({ figures }) => figures.state === "UNDER_WAY")
        ? UNDER_WAY_MS
        : false,
  });
}

/** Switches all tills. May take as long as a check, because the gateway repeats the checks. */
export function putTillEnvironment(input: TillEnvironmentInput): Promise<TillEnvironment> {
  return call(tillEnvironmentOperations.change, {
    body: input,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
}

/** Ends the pilot, so that every till sells live without limits. */
export function endPilot(pin: string) {
  return call(tillEnvironmentOperations.endPilot, { body: { pin } });
}

/** Makes this till the pilot's only selling till. */
export function movePilot() {
  return call(tillEnvironmentOperations.movePilot);
}

export function confirmSeen(what: OwnerConfirmation) {
  return call(tillEnvironmentOperations.confirm, { params: { what } });
}

/** Starts a backup trial. `tillStateQuery` returns its progress. */
export function tryBackup() {
  return call(tillEnvironmentOperations.tryBackup);
}

/** The query is disabled until the number is complete. */
export function firstSaleOffersQuery(recipientPhoneNumber: string) {
  const body = { recipientPhoneNumber };
  return queryOptions({
    queryKey: queryKeyOf(tillEnvironmentOperations.listFirstSaleOffers, { body }),
    queryFn: ({ signal }) => call(tillEnvironmentOperations.listFirstSaleOffers, { body, signal }),
    enabled: /^\+[1-9][0-9]{6,14}$/.test(recipientPhoneNumber),
  });
}

/** The sale may take long, because the gateway queries the provider's balance first. */
export function makeFirstSale(body: FirstSaleInput) {
  return call(tillEnvironmentOperations.makeFirstSale, { body, timeoutMs: CHECK_TIMEOUT_MS });
}
