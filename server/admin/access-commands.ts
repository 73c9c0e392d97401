import { X509Certificate } from "node:crypto";
import { KEY_SCOPES } from "../contract/pos/keys.ts";
import { toTimestamp } from "../lib/clock.ts";
import { readAuthority } from "../modules/shop/certificates/index.ts";
import type { ApiKey } from "../modules/shop/keys/index.ts";
import {
  among,
  authorOf,
  type Command,
  ENV_OPTION,
  optional,
  readText,
  required,
  scopeOf,
  tableOr,
} from "./command.ts";
import { readPin } from "./secret-input.ts";

const listStaffCommand: Command = {
  name: "staff list",
  summary: "List the staff",
  async run(ctx) {
    const staff = await ctx.staff.list(ctx.accountId);
    const header = ["STAFF ID", "NAME", "ROLE", "ACTIVE"];
    const rows = staff.map(({ staffId, name, role, active }) => [
      staffId,
      name,
      role,
      active ? "yes" : "no",
    ]);
    return { text: tableOr("No staff yet.", header, rows), data: staff };
  },
};

const staffPinCommand: Command = {
  name: "staff pin",
  summary: "Set a new PIN for a person, and unlock them",
  options: { pin: { value: "PIN", help: "4 to 8 digits, - reads it from standard input" } },
  argument: "STAFF_ID",
  needs: "a STAFF_ID; see staff list",
  async run(ctx, values, staffId) {
    const pin = await readPin(values, "pin");
    const member = await ctx.staff.change(authorOf(ctx), staffId, { pin });
    return { text: `${member.name} has a new PIN.`, data: member };
  },
};

export const staffCommands = [listStaffCommand, staffPinCommand];

const createKeyCommand: Command = {
  name: "keys create",
  summary: "Create an API key and print it, once",
  options: {
    ...ENV_OPTION,
    name: { value: "NAME", help: "purpose of the key" },
    allow: { value: "LIST", help: "allowed addresses or networks, comma-separated" },
    scopes: { value: "LIST", help: `of ${KEY_SCOPES.join(",")}; all by default` },
    expires: { value: "DATE", help: "last day of the key, such as 2027-01-31" },
  },
  needsShop: false,
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const name = required(values, "name");
    const rule = `of ${KEY_SCOPES.join(",")}`;
    const given = optional(values, "scopes")?.split(",");
    const scopes =
      given?.map((one) => readText("scopes", one, rule, among(KEY_SCOPES))) ?? KEY_SCOPES;
    const created = await ctx.keys.create(scope, name, {
      allowedAddresses: optional(values, "allow")?.split(","),
      scopes,
      expiresOn: optional(values, "expires"),
    });
    const { environment } = scope;
    return { text: created.key, data: { ...created, name, environment, scopes } };
  },
};

const listKeysCommand: Command = {
  name: "keys list",
  summary: "List the API keys",
  async run(ctx) {
    const keys = await ctx.keys.list(ctx.accountId);
    const data = keys.map(describeKey);
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
    return { text: tableOr("No keys.", header, rows), data };
  },
};

const revokeKeyCommand: Command = {
  name: "keys revoke",
  summary: "Revoke an API key; takes effect at once",
  argument: "KEY_ID",
  needs: "a KEY_ID; see keys list",
  async run(ctx, _values, keyId) {
    await ctx.keys.revoke({ accountId: ctx.accountId }, keyId);
    return { text: `Revoked ${keyId}.`, data: { keyId, revoked: true } };
  },
};

function describeKey(key: ApiKey) {
  const { accountId: _account, createdAt, expiresAt, lastUsedAt, revokedAt, ...rest } = key;
  return {
    ...rest,
    createdAt: toTimestamp(createdAt),
    expiresAt: expiresAt === undefined ? undefined : toTimestamp(expiresAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : toTimestamp(lastUsedAt),
    revokedAt: revokedAt === undefined ? undefined : toTimestamp(revokedAt),
  };
}

export const keyCommands = [createKeyCommand, listKeysCommand, revokeKeyCommand];

const deviceCodeCommand: Command = {
  name: "devices code",
  summary: "Create a code that enrolls one device; valid once, for ten minutes",
  options: { name: { value: "NAME", help: "name of the device" } },
  async run(ctx, values) {
    const name = required(values, "name");
    const { code, expiresAt } = await ctx.devices.makeCode(authorOf(ctx), name);
    const authority = await readAuthority(ctx.config.dataDir);
    const fingerprint = authority && new X509Certificate(authority).fingerprint256;
    const trust = fingerprint === undefined ? "" : `\nThe shop's authority: ${fingerprint}`;
    const data = { code, expiresAt: toTimestamp(expiresAt), fingerprint };
    return { text: `${code}${trust}`, data };
  },
};

const listDevicesCommand: Command = {
  name: "devices list",
  summary: "List the enrolled devices",
  async run(ctx) {
    const data = (await ctx.devices.list()).map((row) => ({
      deviceId: row.device_id,
      name: row.name,
      enrolledAt: toTimestamp(row.enrolled_at),
      seenAt: toTimestamp(row.seen_at),
      address: row.address,
      revokedAt: row.revoked_at === null ? undefined : toTimestamp(row.revoked_at),
    }));
    const header = ["DEVICE ID", "NAME", "LET IN", "LAST SEEN", "ADDRESS", "REVOKED"];
    const rows = data.map((one) => [
      one.deviceId,
      one.name,
      one.enrolledAt,
      one.seenAt,
      one.address,
      one.revokedAt ?? "",
    ]);
    return { text: tableOr("No devices.", header, rows), data };
  },
};

const revokeDeviceCommand: Command = {
  name: "devices revoke",
  summary: "Revoke a device; its sessions and streams end at once",
  argument: "DEVICE_ID",
  needs: "a DEVICE_ID; see devices list",
  async run(ctx, _values, deviceId) {
    await ctx.devices.revoke(authorOf(ctx), deviceId);
    return { text: `Revoked ${deviceId}.`, data: { deviceId, revoked: true } };
  },
};

export const deviceCommands = [deviceCodeCommand, listDevicesCommand, revokeDeviceCommand];
