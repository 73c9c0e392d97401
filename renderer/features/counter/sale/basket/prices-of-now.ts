import type { ApiError } from "../../../../lib/api-client.ts";
import type { AttemptLine } from "../attempt/line-item.ts";

/**
 * The changed prices of a refusal, by transaction id, in minor units of the shop's currency; undefined
 * for a refusal about something else.
 */
export function pricesOfNow(
  { errorCode, fields }: Pick<ApiError, "errorCode" | "fields">,
  lines: readonly Pick<AttemptLine, "transactionId">[],
): Readonly<Record<string, number>> | undefined {
  if (errorCode !== "PRICE_CHANGED") {
    return undefined;
  }
  return Object.fromEntries(
    lines.flatMap(({ transactionId }, index) => {
      const now = fields[`lines.${index}.priceNow`];
      return now === undefined ? [] : [[transactionId, Number(now)]];
    }),
  );
}
