import { StartupError } from "../config/config.ts";
import { toTimestamp } from "../lib/clock.ts";
import type { ApiKey } from "../modules/shop/keys/index.ts";
import { type Command, ENV_OPTION, optional, required, scopeOf, table } from "./command.ts";

const createCommand: Command = {
  name: "keys create",
  summary: "Create an API key and print it, once",
  options: {
    ...ENV_OPTION,
    name: { value: "NAME", help: "purpose of the key" },
    allow: { value: "LIST", help: "allowed addresses or networks, comma-separated" },
  },
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const name = required(values, "name");
    const allow = optional(values, "allow")?.split(",");
    const created = await ctx.keys.create(scope, name, allow);
    return { text: created.key, data: { ...created, name, environment: scope.environment } };
  },
};

const listCommand: Command = {
  name: "keys list",
  summary: "List the API keys",
  options: {},
  needsData: true,
  async run(ctx) {
    const keys = await ctx.keys.list(ctx.accountId);
    const data = keys.map(describe);
    const header = ["KEY ID", "ENV", "NAME", "BEGINS", "CREATED", "LAST USED", "REVOKED"];
    const rows = data.map((key) => [
      key.keyId,
      key.environment,
      key.name,
      `${key.hint}…`,
      key.createdAt,
      key.lastUsedAt ?? "never",
      key.revokedAt ?? "",
    ]);
    return { text: data.length === 0 ? "No keys." : table([header, ...rows]), data };
  },
};

const revokeCommand: Command = {
  name: "keys revoke",
  summary: "Revoke an API key; takes effect at once",
  options: {},
  argument: "KEY_ID",
  needsData: true,
  async run(ctx, _values, keyId) {
    if (keyId === "") throw new StartupError("keys revoke needs a KEY_ID; see keys list.");
    await ctx.keys.revoke({ accountId: ctx.accountId }, keyId);
    return { text: `Revoked ${keyId}.`, data: { keyId, revoked: true } };
  },
};

function describe(key: ApiKey) {
  const { accountId: _account, createdAt, lastUsedAt, revokedAt, ...rest } = key;
  return {
    ...rest,
    createdAt: toTimestamp(createdAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : toTimestamp(lastUsedAt),
    revokedAt: revokedAt === undefined ? undefined : toTimestamp(revokedAt),
  };
}

export const keyCommands = [createCommand, listCommand, revokeCommand];
