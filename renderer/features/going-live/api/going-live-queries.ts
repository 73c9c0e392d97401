import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import type {
  FirstSaleInput,
  OwnerConfirmation,
} from "../../../../server/contract/pos/till-environment.ts";
import {
  type TillEnvironment,
  type TillEnvironmentInput,
  tillEnvironmentOperations,
} from "../../../../server/contract/pos/till-environment.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

/** The provider is asked as well, and may be slow. */
const CHECK_TIMEOUT_MS = 60_000;
/** What is under way finishes by itself. */
const LOOK_AGAIN_MS = 15_000;
/** What an owner waits for. */
const UNDER_WAY_MS = 2000;

/** All that is asked here: it changes with whatever is done about a check on another screen. */
export const GOING_LIVE_ANSWERS = [tillEnvironmentOperations.get, tillEnvironmentOperations.check];

/** Where the shop sells, its rate, and what it sold where it sells no more. */
export function tillStateQuery() {
  return queryOptions({
    ...operationQuery(tillEnvironmentOperations.get),
    refetchInterval: ({ state }) =>
      state.data?.backupTrial?.state === "RUNNING" ? UNDER_WAY_MS : LOOK_AGAIN_MS,
  });
}

/** Whether the shop can sell there. Asked anew each time the screen is opened. */
export function readinessQuery(to: Environment) {
  return queryOptions({
    queryKey: queryKeyOf(tillEnvironmentOperations.check, { body: { to } }),
    queryFn: ({ signal }) =>
      call(tillEnvironmentOperations.check, {
        body: { to },
        signal,
        timeoutMs: CHECK_TIMEOUT_MS,
      }),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.checks.some(({ figures }) => figures.state === "UNDER_WAY")
        ? UNDER_WAY_MS
        : false,
  });
}

/** Takes all tills there. It checks again, so it may take as long. */
export function putTillEnvironment(input: TillEnvironmentInput): Promise<TillEnvironment> {
  return call(tillEnvironmentOperations.change, {
    body: input,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
}

/** Every till sells live, without caps. */
export function endPilot(pin: string) {
  return call(tillEnvironmentOperations.endPilot, { body: { pin } });
}

/** This till is the one that sells. */
export function movePilot() {
  return call(tillEnvironmentOperations.movePilot);
}

/** An owner has seen it as it is now. */
export function confirmSeen(what: OwnerConfirmation) {
  return call(tillEnvironmentOperations.confirm, { params: { what } });
}

/** Begins it; the state of the tills says what becomes of it. */
export function tryBackup() {
  return call(tillEnvironmentOperations.tryBackup);
}

/** What the shop's own prices are, beside the suggested ones. */
export function priceChangesQuery() {
  return queryOptions({
    ...operationQuery(tillEnvironmentOperations.listPriceChanges),
    staleTime: 0,
  });
}

/** What could be sent to a number; nothing while it is no number. */
export function firstSaleOffersQuery(recipientPhoneNumber: string) {
  const body = { recipientPhoneNumber };
  return queryOptions({
    queryKey: queryKeyOf(tillEnvironmentOperations.listFirstSaleOffers, { body }),
    queryFn: ({ signal }) => call(tillEnvironmentOperations.listFirstSaleOffers, { body, signal }),
    enabled: /^\+[1-9][0-9]{6,14}$/.test(recipientPhoneNumber),
  });
}

/** The provider is asked for the balance before. */
export function makeFirstSale(body: FirstSaleInput) {
  return call(tillEnvironmentOperations.makeFirstSale, { body, timeoutMs: CHECK_TIMEOUT_MS });
}
