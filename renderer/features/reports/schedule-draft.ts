import { type ScheduleInput, timesOf } from "../../../server/contract/pos/shop-reports.ts";

export function inputOf(schedule: ScheduleInput): ScheduleInput {
  const { name, kind, format, when, at, recipients, folder, language, enabled } = schedule;
  return { name, kind, format, when, at, recipients, folder, language, enabled };
}

/** Splits recipients at commas, semicolons and spaces. Removes duplicates. */
export function readRecipients(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((address) => address !== ""))];
}

/** Replaces a time that the report's kind does not support with the kind's first supported time. */
export function withPossibleTime(input: ScheduleInput): ScheduleInput {
  const times = timesOf(input.kind);
  const [first = input.when] = times;
  return times.includes(input.when) ? input : { ...input, when: first };
}
