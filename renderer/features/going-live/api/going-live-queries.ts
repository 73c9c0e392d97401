import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import type {
  Readiness,
  TillEnvironment,
  TillEnvironmentInput,
  TillState,
} from "../../../../server/contract/pos/till-environment.ts";
import { request } from "../../../lib/api-client.ts";

/** The provider is asked as well, and may be slow. */
const CHECK_TIMEOUT_MS = 60_000;
/** What is under way finishes by itself. */
const LOOK_AGAIN_MS = 15_000;

/** All that is asked here: it changes with whatever is done about a check on another screen. */
export const goingLiveKey = ["going-live"] as const;

/** Where the shop sells, its rate, and what it sold where it sells no more. */
export function tillStateQuery() {
  return queryOptions({
    queryKey: [...goingLiveKey, "state"],
    queryFn: ({ signal }) => request<TillState>("GET", "/pos/till-environment", { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** Whether the shop can sell there. Asked anew each time the screen is opened. */
export function readinessQuery(to: Environment) {
  return queryOptions({
    queryKey: [...goingLiveKey, "checks", to],
    queryFn: ({ signal }) =>
      request<Readiness>("POST", "/pos/till-environment/checks", {
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
  return request<TillEnvironment>("PUT", "/pos/till-environment", {
    body: input,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
}

export function putRate(rate: string): Promise<{ rate: string }> {
  return request("PUT", "/pos/rate", { body: { rate } });
}
