import { queryOptions } from "@tanstack/react-query";
import type { SetupCurrencies, SetupInput } from "../../../../server/contract/pos/setup.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { request } from "../../../lib/api-client.ts";

export function setupCurrenciesQuery() {
  return queryOptions({
    queryKey: ["setup-currencies"],
    queryFn: ({ signal }) => request<SetupCurrencies>("GET", "/pos/setup/currencies", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function setUpShop(input: SetupInput): Promise<PosSession> {
  return request<PosSession>("POST", "/pos/setup", { body: input, timeoutMs: 30_000 });
}
