import { calendarOf, offsetOf, startOfDate } from "../../../server/contract/pos/shop-day.ts";
import type { ReadField } from "./form-fields.ts";

/** A day in the shop's time zone, such as "2026-12-01", with an optional time. */
export interface Moment {
  readonly day: string;
  readonly time: string;
}

const DAY_MS = 86_400_000;
const NONE: Moment = { day: "", time: "" };

/** Reads the start of a rule. Without a time, the rule starts at the start of the day. */
export function readStart(moment: Moment, timeZone: string): ReadField<string | undefined> {
  return read(moment, timeZone, 0);
}

/** Reads the end of a rule. Without a time, the rule ends at the end of the day. */
export function readEnd(moment: Moment, timeZone: string): ReadField<string | undefined> {
  return read(moment, timeZone, 1);
}

function read(
  { day, time }: Moment,
  timeZone: string,
  daysOn: number,
): ReadField<string | undefined> {
  if (day === "") {
    return time === "" ? { value: undefined } : { fault: "day" };
  }
  const local = Date.parse(`${day}T${time === "" ? "00:00" : time}:00Z`);
  if (!Number.isFinite(local)) {
    return { fault: "day" };
  }
  const at =
    time === ""
      ? startOfDate(Math.floor(local / DAY_MS) + daysOn, calendarOf(timeZone))
      : instantOf(local, timeZone);
  return { value: new Date(at).toISOString() };
}

function instantOf(local: number, timeZone: string): number {
  const near = local - offsetOf(local, timeZone);
  return local - offsetOf(near, timeZone);
}

export function writeStart(timestamp: string | undefined, timeZone: string): Moment {
  if (timestamp === undefined) {
    return NONE;
  }
  const { day, time } = localOf(Date.parse(timestamp), timeZone);
  return { day, time: time === "00:00" ? "" : time };
}

export function writeEnd(timestamp: string | undefined, timeZone: string): Moment {
  if (timestamp === undefined) {
    return NONE;
  }
  const at = Date.parse(timestamp);
  const moment = localOf(at, timeZone);
  return moment.time === "00:00" ? { day: localOf(at - 1, timeZone).day, time: "" } : moment;
}

function localOf(at: number, timeZone: string): Moment {
  const local = new Date(at + offsetOf(at, timeZone)).toISOString();
  return { day: local.slice(0, 10), time: local.slice(11, 16) };
}
