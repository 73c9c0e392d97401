import { StartupError } from "../config/config.ts";
import { toTimestamp } from "../lib/clock.ts";
import { type Command, ENV_OPTION, scopeOf, table } from "./command.ts";

const listCommand: Command = {
  name: "brands list",
  summary: "List the brands that are paused",
  options: ENV_OPTION,
  needsData: true,
  async run(ctx, values) {
    const data = (await ctx.brandPauses.list(scopeOf(ctx, values))).map((state) => ({
      brand: state.brand,
      pausedSince: toTimestamp(state.pausedSince),
      byHand: state.pausedByHand,
    }));
    const rows = data.map(({ brand, pausedSince, byHand }) => [
      brand,
      pausedSince,
      byHand ? "by hand" : "by itself",
    ]);
    const header = ["BRAND", "PAUSED SINCE", "HOW"];
    return { text: rows.length === 0 ? "No brand is paused." : table([header, ...rows]), data };
  },
};

const pauseCommand: Command = {
  name: "brands pause",
  summary: "Let new sales of a brand wait until it is resumed",
  options: ENV_OPTION,
  argument: "BRAND",
  needsData: true,
  async run(ctx, values, brand) {
    if (brand === "") throw new StartupError("brands pause needs a BRAND.");
    await ctx.brandPauses.pause({ ...scopeOf(ctx, values), staffId: undefined }, brand);
    return { text: `${brand} is paused.`, data: { brand, paused: true } };
  },
};

const resumeCommand: Command = {
  name: "brands resume",
  summary: "Sell a brand again that is paused, and at once whatever waits for it",
  options: ENV_OPTION,
  argument: "BRAND",
  needsData: true,
  async run(ctx, values, brand) {
    if (brand === "") throw new StartupError("brands resume needs a BRAND; see brands list.");
    await ctx.brandPauses.resume({ ...scopeOf(ctx, values), staffId: undefined }, brand);
    return { text: `${brand} is sold again.`, data: { brand, paused: false } };
  },
};

export const brandCommands = [listCommand, pauseCommand, resumeCommand];
