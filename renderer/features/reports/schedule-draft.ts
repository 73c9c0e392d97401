import type { ScheduleInput } from "../../../server/contract/pos/shop-reports.ts";

/** What may be sent of a schedule, without what the gateway says of it beside. */
export function inputOf(schedule: ScheduleInput): ScheduleInput {
  const { name, kind, format, when, at, recipients, folder, language, enabled } = schedule;
  return { name, kind, format, when, at, recipients, folder, language, enabled };
}

/** Addresses as people type them: parted by commas, semicolons or blanks, each once. */
export function readRecipients(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((address) => address !== ""))];
}
