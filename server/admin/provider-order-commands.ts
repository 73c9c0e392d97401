import { StartupError } from "../config/config.ts";
import { FAMILIES, type Family } from "../contract/pos/families.ts";
import type { Context } from "../gateway/context.ts";
import { type Command, ENV_OPTION, optional, required, scopeOf, type Values } from "./command.ts";

const orderCommand: Command = {
  name: "upstream order",
  summary: "Show or set which provider sells a product that several offer",
  options: {
    ...ENV_OPTION,
    brand: { value: "CODE", help: "only for this brand" },
    country: { value: "CODE", help: "only for this country" },
    family: { value: FAMILIES.join("|"), help: "only for this family" },
    providers: {
      value: "NAMES",
      help: "names, the preferred first, separated by commas; or cheapest",
    },
  },
  needsData: true,
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const asked = optional(values, "providers");
    if (asked !== undefined) {
      const [brand, country] = [optional(values, "brand"), optional(values, "country")];
      const target = { brand, country, family: readFamily(values) };
      const providers = asked === "cheapest" ? [] : await readProviders(ctx, values, asked);
      await ctx.providerOrders.setOrder({ ...scope, staffId: undefined }, target, providers);
    }
    const routing = await ctx.providerOrders.read(scope);
    const names = new Map(
      (await ctx.upstream.list(scope)).map(({ providerId, name }) => [providerId, name]),
    );
    const lines = routing.orders.map(({ providers, ...target }) => {
      const where = Object.values(target).join(" ") || "all products";
      const order = providers.map((id) => names.get(id) ?? id).join(", ");
      return `${where}: ${order || "cheapest"}`;
    });
    const joined = Object.entries(routing.joined).map(([one, as]) => `${one} is sold as ${as}`);
    const text = [...lines, ...joined].join("\n");
    return { text: text || "Each product is sold by the cheapest provider.", data: routing };
  },
};

/** @throws StartupError */
function readFamily(values: Values): Family | undefined {
  const text = optional(values, "family");
  const family = FAMILIES.find((known) => known === text);
  if (text === undefined || family) return family;
  throw new StartupError(`--family must be ${FAMILIES.join(" or ")}, not "${text}".`);
}

/** @throws StartupError */
async function readProviders(ctx: Context, values: Values, text: string): Promise<string[]> {
  const all = await ctx.upstream.list(scopeOf(ctx, values));
  return text.split(",").map((part) => {
    const name = part.trim().toLowerCase();
    const found = all.find((one) => one.name.toLowerCase() === name || one.providerId === name);
    if (found) return found.providerId;
    const names = all.map((one) => one.name).join(", ");
    throw new StartupError(`There is no provider "${part.trim()}". The providers are ${names}.`);
  });
}

const joinCommand: Command = {
  name: "upstream join",
  summary: "Sell a provider's brand as another brand, or separate it again",
  options: {
    ...ENV_OPTION,
    brand: { value: "CODE", help: "brand of the later provider" },
    as: { value: "CODE", help: "brand under which it is sold; separates it if missing" },
  },
  needsData: true,
  async run(ctx, values) {
    const [brand, as] = [required(values, "brand"), optional(values, "as")];
    await ctx.providerOrders.join({ ...scopeOf(ctx, values), staffId: undefined }, brand, as);
    const text =
      as === undefined ? `${brand} is a brand of its own.` : `${brand} is sold as ${as}.`;
    return { text, data: { brand, ...(as !== undefined && { as }) } };
  },
};

export const providerOrderCommands = [orderCommand, joinCommand];
