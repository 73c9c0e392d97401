import { StartupError } from "../config/config.ts";
import type { Context } from "../context.ts";
import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import {
  findLinesTrouble,
  LONGEST_RECEIPT_LINE,
  MOST_RECEIPT_LINES,
} from "../contract/pos/receipt-text.ts";
import { MOST_IDLE_MINUTES, type PosSettings } from "../contract/pos/settings.ts";
import { findTimeZone, type TimeZone } from "../contract/pos/shop-day.ts";
import type { SettingsChange } from "../modules/settings/index.ts";
import { type Command, optional, type Result, scopeOf, type Values } from "./command.ts";

const getCommand: Command = {
  name: "settings get",
  summary: "Show the settings, of one environment or both",
  options: { env: { value: "test|live", help: "only those of this environment" } },
  needsData: true,
  async run(ctx, values) {
    const environment = environmentOf(ctx, values);
    return describe(await ctx.settings.getAll(ctx.accountId), environment);
  },
};

const setCommand: Command = {
  name: "settings set",
  summary: "Change the settings",
  options: {
    env: { value: "test|live", help: "the environment that --queue is for" },
    queue: { value: "on|off", help: "retry recoverable provider errors for 24 hours" },
    lookup: { value: "on|off", help: "let keys look phone numbers up, in both environments" },
    "idle-lock": { value: "MINUTES", help: "lock a till that nobody touches; 0 never does" },
    "time-zone": { value: "ZONE", help: "where the shop's day ends at midnight" },
    "receipt-address": { value: "LINES", help: "the shop's address on receipts, | between lines" },
    "receipt-support": { value: "LINES", help: "who helps customers and when, | between lines" },
  },
  async run(ctx, values) {
    const queueEnabled = readSwitch(values, "queue");
    const lookupEnabled = readSwitch(values, "lookup");
    const idleLockMinutes = readMinutes(values, "idle-lock");
    const timeZone = readTimeZone(values, "time-zone");
    const address = readLines(values, "receipt-address");
    const support = readLines(values, "receipt-support");
    const receipt = { ...(address && { address }), ...(support && { support }) };
    const ofAccount: SettingsChange = {
      ...(lookupEnabled !== undefined && { lookupEnabled }),
      ...(idleLockMinutes !== undefined && { idleLockMinutes }),
      ...(timeZone !== undefined && { timeZone }),
      ...((address ?? support) && { receipt }),
    };
    if (queueEnabled === undefined && Object.keys(ofAccount).length === 0) {
      throw new StartupError(
        "--queue, --lookup, --idle-lock, --time-zone, --receipt-address or --receipt-support is required.",
      );
    }
    const environment = environmentOf(ctx, values);
    const change = ofAccount;
    if (queueEnabled !== undefined) change[scopeOf(ctx, values).environment] = { queueEnabled };
    const settings = await ctx.settings.change({ accountId: ctx.accountId }, change);
    return describe(settings, environment);
  },
};

/** @throws StartupError naming the option */
function readSwitch(values: Values, name: string): boolean | undefined {
  const value = optional(values, name);
  if (value === undefined) return undefined;
  if (value !== "on" && value !== "off") {
    throw new StartupError(`--${name} must be on or off, not "${value}".`);
  }
  return value === "on";
}

/** @throws StartupError naming the option */
function readMinutes(values: Values, name: string): number | undefined {
  const value = optional(values, name);
  if (value === undefined) return undefined;
  const minutes = /^\d{1,3}$/.test(value) ? Number(value) : Infinity;
  if (minutes <= MOST_IDLE_MINUTES) return minutes;
  throw new StartupError(`--${name} must be 0 to ${MOST_IDLE_MINUTES} minutes, not "${value}".`);
}

/** @throws StartupError naming the option */
function readTimeZone(values: Values, name: string): TimeZone | undefined {
  const value = optional(values, name);
  if (value === undefined) return undefined;
  const timeZone = findTimeZone(value);
  if (timeZone !== undefined) return timeZone;
  throw new StartupError(
    `--${name} must be a time zone such as America/Guatemala, not "${value}".`,
  );
}

/** No text at all takes the lines away. @throws StartupError naming the option */
function readLines(values: Values, name: string): string[] | undefined {
  const value = optional(values, name);
  if (value === undefined) return undefined;
  const lines = value
    .split("|")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const trouble = findLinesTrouble(lines);
  if (trouble === undefined) return lines;
  const rule = `at most ${MOST_RECEIPT_LINES} lines of at most ${LONGEST_RECEIPT_LINE} characters`;
  throw new StartupError(
    `--${name} must be ${rule}, with | between them${trouble === "unfit" ? ", all of them visible" : ""}.`,
  );
}

/** @throws StartupError naming --env, when it is given and is none */
function environmentOf(ctx: Context, values: Values): Environment | undefined {
  return values.env === undefined ? undefined : scopeOf(ctx, values).environment;
}

/** What is in force: in one environment, or else in both. */
function describe(settings: PosSettings, environment: Environment | undefined): Result {
  const { environments, ...ofAccount } = settings;
  const { lookupEnabled, idleLockMinutes, timeZone, receipt } = ofAccount;
  const account = [
    `lookup ${onOff(lookupEnabled)}`,
    `idle lock ${idleLockMinutes === 0 ? "off" : `after ${idleLockMinutes} min`}`,
    `time zone ${timeZone}`,
    `receipt address ${receipt.address.join(" | ") || "none"}`,
    `receipt support ${receipt.support.join(" | ") || "none"}`,
  ];
  if (environment === undefined) {
    const queues = ENVIRONMENTS.map(
      (each) => `${each}: queue ${onOff(environments[each].queueEnabled)}`,
    );
    return { text: [...queues, ...account].join("\n"), data: settings };
  }
  const { queueEnabled } = environments[environment];
  return {
    text: [`queue ${onOff(queueEnabled)}`, ...account].join("\n"),
    data: { queueEnabled, ...ofAccount },
  };
}

function onOff(enabled: boolean): string {
  return enabled ? "on" : "off";
}

export const settingsCommands = [getCommand, setCommand];
