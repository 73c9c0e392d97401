import { StartupError } from "../config/config.ts";
import type { Context } from "../context.ts";
import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import type { PosSettings } from "../contract/pos/settings.ts";
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
  },
  async run(ctx, values) {
    const queueEnabled = readSwitch(values, "queue");
    const lookupEnabled = readSwitch(values, "lookup");
    if (queueEnabled === undefined && lookupEnabled === undefined) {
      throw new StartupError("--queue or --lookup is required.");
    }
    const environment = environmentOf(ctx, values);
    const change: SettingsChange = {};
    if (lookupEnabled !== undefined) change.lookupEnabled = lookupEnabled;
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

/** @throws StartupError naming --env, when it is given and is none */
function environmentOf(ctx: Context, values: Values): Environment | undefined {
  return values.env === undefined ? undefined : scopeOf(ctx, values).environment;
}

/** What is in force: in one environment, or else in both. */
function describe(settings: PosSettings, environment: Environment | undefined): Result {
  const { lookupEnabled, environments } = settings;
  const lookup = `lookup ${onOff(lookupEnabled)}`;
  if (environment === undefined) {
    const queues = ENVIRONMENTS.map(
      (each) => `${each}: queue ${onOff(environments[each].queueEnabled)}`,
    );
    return { text: [...queues, lookup].join("\n"), data: settings };
  }
  const { queueEnabled } = environments[environment];
  return {
    text: [`queue ${onOff(queueEnabled)}`, lookup].join("\n"),
    data: { queueEnabled, lookupEnabled },
  };
}

function onOff(enabled: boolean): string {
  return enabled ? "on" : "off";
}

export const settingsCommands = [getCommand, setCommand];
