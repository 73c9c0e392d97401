import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type CopyResult,
  type EnvironmentDifference,
  environmentCopyOperations,
} from "../../../../server/contract/pos/environment-copy.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** Long, because the gateway tests webhooks before it copies them. */
const COPY_TIMEOUT_MS = 60_000;

/** The differences are never cached. */
export function differencesQuery(from: Environment) {
  return queryOptions({
    ...operationQuery(environmentCopyOperations.list, { query: { from } }),
    staleTime: 0,
  });
}

export function copyDifferences(
  from: Environment,
  ticked: readonly EnvironmentDifference[],
): Promise<CopyResult> {
  const items = ticked.map(({ id, stamp }) => ({ id, stamp }));
  return call(environmentCopyOperations.copy, {
    body: { from, items },
    timeoutMs: COPY_TIMEOUT_MS,
  });
}
