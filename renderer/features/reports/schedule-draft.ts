import { type ScheduleInput, timesOf } from "../../../server/contract/pos/shop-reports.ts";

/** What may be sent of a schedule, without what the gateway says of it beside. */
export function inputOf(schedule: ScheduleInput): ScheduleInput {
  const { name, kind, format, when, at, recipients, folder, language, enabled } = schedule;
  return { name, kind, format, when, at, recipients, folder, language, enabled };
}

/** Addresses as people type them: parted by commas, semicolons or blanks, each once. */
export function readRecipients(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((address) => address !== ""))];
}

/** A time that the kind does not have gives way to the first that it has. */
export function withPossibleTime(input: ScheduleInput): ScheduleInput {
  const times = timesOf(input.kind);
  const [first = input.when] = times;
  return times.includes(input.when) ? input : { ...input, when: first };
}
