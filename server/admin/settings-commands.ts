import { StartupError } from "../config/config.ts";
import { type Command, ENV_OPTION, type Result, required, scopeOf } from "./command.ts";

const getCommand: Command = {
  name: "settings get",
  summary: "Show the settings of an environment",
  options: ENV_OPTION,
  needsData: true,
  async run(ctx, values) {
    return describe(await ctx.settings.get(scopeOf(ctx, values)));
  },
};

const setCommand: Command = {
  name: "settings set",
  summary: "Change the settings of an environment",
  options: {
    ...ENV_OPTION,
    queue: { value: "on|off", help: "retry recoverable provider errors for 24 hours" },
  },
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const queue = required(values, "queue");
    if (queue !== "on" && queue !== "off") {
      throw new StartupError(`--queue must be on or off, not "${queue}".`);
    }
    return describe(await ctx.settings.set(scope, { queueEnabled: queue === "on" }));
  },
};

function describe(settings: { queueEnabled: boolean }): Result {
  return { text: `queue ${settings.queueEnabled ? "on" : "off"}`, data: settings };
}

export const settingsCommands = [getCommand, setCommand];
