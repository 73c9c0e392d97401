import { queryOptions } from "@tanstack/react-query";
import type { WantedLine } from "../../../../server/contract/pos/sale-lines.ts";
import { type CheckedLine, saleOperations } from "../../../../server/contract/pos/sales.ts";
import { call } from "../../../lib/api-client.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";

/** Whose sale the line is of, and in which language the clerk reads. */
export interface CheckPlace {
  readonly saleId: string;
  readonly language: string;
}

/** Longer than this no payment waits for a gateway that does not answer. */
export const LAST_CHECK_TIMEOUT_MS = 1_500;

/** What to know of lines before money is taken, in the order of the lines. Changes nothing. */
export async function postCheck(
  lines: readonly WantedLine[],
  language: string,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<readonly CheckedLine[]> {
  const checked = await call(saleOperations.check, { body: { lines, language }, ...options });
  return checked.lines;
}

/** What to know of one line. Asked for each sale anew: what was sold meanwhile counts. */
export function checkQuery(line: WantedLine, { saleId, language }: CheckPlace) {
  return queryOptions({
    queryKey: queryKeyOf(saleOperations.check, { body: { lines: [line], language } }, saleId),
    queryFn: async ({ signal }) => (await postCheck([line], language, { signal }))[0] ?? null,
    staleTime: 5_000,
    gcTime: 60_000,
  });
}
