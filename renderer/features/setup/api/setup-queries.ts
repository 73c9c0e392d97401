import { queryOptions } from "@tanstack/react-query";
import type { SetupInput } from "../../../../server/contract/pos/setup.ts";
import { setupOperations } from "../../../../server/contract/pos/setup-operations.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

export function setupCurrenciesQuery() {
  return queryOptions({
    ...operationQuery(setupOperations.listCurrencies),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function setUpShop(input: SetupInput): Promise<PosSession> {
  return call(setupOperations.setUp, { body: input, timeoutMs: 30_000 });
}
