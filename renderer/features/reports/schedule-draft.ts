import { type ScheduleInput, timesOf } from "../../../server/contract/pos/shop-reports.ts";

/** Returns the input of a schedule, without the gateway's own fields. */
export function inputOf(schedule: ScheduleInput): ScheduleInput {
  const { name, kind, format, when, at, recipients, folder, language, enabled } = schedule;
  return { name, kind, format, when, at, recipients, folder, language, enabled };
}

/** Reads typed addresses, separated by commas, semicolons or spaces, without repeats. */
export function readRecipients(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((address) => address !== ""))];
}

/** Replaces a time that the kind does not support by the kind's first one. */
export function withPossibleTime(input: ScheduleInput): ScheduleInput {
  const times = timesOf(input.kind);
  const [first = input.when] = times;
  return times.includes(input.when) ? input : { ...input, when: first };
}
