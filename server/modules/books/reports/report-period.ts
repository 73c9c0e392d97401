import { findInstant } from "../../../contract/created-at-filter.ts";
import { Problem } from "../../../contract/problem.ts";
import type { ReportInput } from "../../../contract/v1/reports.ts";
import { DAY } from "../../../lib/clock.ts";

/** Finish times in milliseconds; `endLt` is exclusive (rules#report-period). */
export interface Period {
  startGte: number;
  endLt: number;
}

/** Maximum number of days in a period (rules#report-period). */
const LONGEST_DAYS = 366;
/** The last instant that RFC 3339 can express. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** @throws Problem INVALID_REQUEST naming each invalid bound */
export function parsePeriod(input: ReportInput): Period {
  const startGte = boundOf(input.startGte);
  const endLt = boundOf(input.endLt);
  if (startGte === undefined || endLt === undefined) {
    throw invalid({
      ...(startGte === undefined && { startGte: "must be an RFC 3339 UTC time that exists" }),
      ...(endLt === undefined && { endLt: "must be an RFC 3339 UTC time that exists" }),
    });
  }
  if (endLt <= startGte) throw invalid({ endLt: "must be later than startGte" });
  if (endLt - startGte > LONGEST_DAYS * DAY) {
    throw invalid({ endLt: `must be at most ${LONGEST_DAYS} days after startGte` });
  }
  return { startGte, endLt };
}

/**
 * Rounds up to whole milliseconds. Finish times are whole milliseconds, so the rounded bound
 * selects the same transactions.
 */
function boundOf(text: string): number | undefined {
  const instant = findInstant(text);
  const bound = instant === undefined ? undefined : Math.ceil(instant);
  return bound === undefined || bound > LATEST ? undefined : bound;
}

function invalid(fields: Record<string, string>): Problem {
  const names = Object.keys(fields).join(", ");
  return new Problem("INVALID_REQUEST", `The request is not valid: ${names}.`, fields);
}
