import { StartupError } from "../config/config.ts";
import { KEY_SCOPES, type KeyScope } from "../contract/pos/keys.ts";
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
    scopes: { value: "LIST", help: `of ${KEY_SCOPES.join(",")}; all by default` },
    expires: { value: "DATE", help: "last day of the key, such as 2027-01-31" },
  },
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const name = required(values, "name");
    const scopes = optional(values, "scopes")?.split(",").map(readScope) ?? KEY_SCOPES;
    const created = await ctx.keys.create(scope, name, {
      allowedAddresses: optional(values, "allow")?.split(","),
      scopes,
      expiresOn: optional(values, "expires"),
    });
    const { environment } = scope;
    return { text: created.key, data: { ...created, name, environment, scopes } };
  },
};

/** @throws StartupError for an unknown scope */
function readScope(text: string): KeyScope {
  const scope = KEY_SCOPES.find((known) => known === text);
  if (scope) return scope;
  throw new StartupError(`--scopes must be of ${KEY_SCOPES.join(",")}, not "${text}".`);
}

const listCommand: Command = {
  name: "keys list",
  summary: "List the API keys",
  options: {},
  needsData: true,
  async run(ctx) {
    const keys = await ctx.keys.list(ctx.accountId);
    const data = keys.map(describe);
    const names = ["KEY ID", "ENV", "NAME", "BEGINS", "SCOPES"];
    const header = [...names, "CREATED", "EXPIRES", "LAST USED", "REVOKED"];
    const rows = data.map((key) => [
      key.keyId,
      key.environment,
      key.name,
      `${key.hint}…`,
      key.scopes.join(","),
      key.createdAt,
      key.expiresAt ?? "never",
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
  const { accountId: _account, createdAt, expiresAt, lastUsedAt, revokedAt, ...rest } = key;
  return {
    ...rest,
    createdAt: toTimestamp(createdAt),
    expiresAt: expiresAt === undefined ? undefined : toTimestamp(expiresAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : toTimestamp(lastUsedAt),
    revokedAt: revokedAt === undefined ? undefined : toTimestamp(revokedAt),
  };
}

export const keyCommands = [createCommand, listCommand, revokeCommand];
