import { queryOptions } from "@tanstack/react-query";
import type { WantedLine } from "../../../../server/contract/pos/sale-lines.ts";
import { type CheckedLine, saleOperations } from "../../../../server/contract/pos/sales.ts";
import { call } from "../../../lib/api-client.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";

export interface CheckPlace {
  readonly saleId: string;
  readonly language: string;
}

/** Maximum wait for the gateway's last check before a payment. */
export const LAST_CHECK_TIMEOUT_MS = 1_500;

/** Results are in the order of the lines. */
export async function postCheck(
  lines: readonly WantedLine[],
  language: string,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<readonly CheckedLine[]> {
  const checked = await call(saleOperations.check, { body: { lines, language }, ...options });
  return checked.lines;
}

/** The query key contains the sale's id, because the result depends on earlier sales. */
export function checkQuery(line: WantedLine, { saleId, language }: CheckPlace) {
  return queryOptions({
    queryKey: queryKeyOf(saleOperations.check, { body: { lines: [line], language } }, saleId),
    queryFn: async ({ signal }) => (await postCheck([line], language, { signal }))[0] ?? null,
    staleTime: 5_000,
    gcTime: 60_000,
  });
}
