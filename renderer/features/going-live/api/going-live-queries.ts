import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import type {
  TillEnvironment,
  TillEnvironmentInput,
} from "../../../../server/contract/pos/till-environment.ts";
import { tillEnvironmentOperations } from "../../../../server/contract/pos/till-environment-operations.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

/** The provider is asked as well, and may be slow. */
const CHECK_TIMEOUT_MS = 60_000;
/** What is under way finishes by itself. */
const LOOK_AGAIN_MS = 15_000;

/** All that is asked here: it changes with whatever is done about a check on another screen. */
export const GOING_LIVE_ANSWERS = [tillEnvironmentOperations.get, tillEnvironmentOperations.check];

/** Where the shop sells, its rate, and what it sold where it sells no more. */
export function tillStateQuery() {
  return queryOptions({
    ...operationQuery(tillEnvironmentOperations.get),
    refetchInterval: LOOK_AGAIN_MS,
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
  });
}

/** Takes all tills there. It checks again, so it may take as long. */
export function putTillEnvironment(input: TillEnvironmentInput): Promise<TillEnvironment> {
  return call(tillEnvironmentOperations.change, {
    body: input,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
}

export function putRate(rate: string): Promise<{ rate: string }> {
  return call(tillEnvironmentOperations.setRate, { body: { rate } });
}
