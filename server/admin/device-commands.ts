import { X509Certificate } from "node:crypto";
import { StartupError } from "../config/config.ts";
import { toTimestamp } from "../lib/clock.ts";
import { readAuthority } from "../modules/shop/certificates/index.ts";
import { type Command, required, table } from "./command.ts";

const codeCommand: Command = {
  name: "devices code",
  summary: "Create a code that enrolls one device; valid once, for ten minutes",
  options: { name: { value: "NAME", help: "name of the device" } },
  needsData: true,
  async run(ctx, values) {
    const author = { accountId: ctx.accountId, staffId: undefined };
    const { code, expiresAt } = await ctx.devices.makeCode(author, required(values, "name"));
    const authority = await readAuthority(ctx.config.dataDir);
    const fingerprint = authority && new X509Certificate(authority).fingerprint256;
    const trust = fingerprint === undefined ? "" : `\nThe shop's authority: ${fingerprint}`;
    const data = { code, expiresAt: toTimestamp(expiresAt), fingerprint };
    return { text: `${code}${trust}`, data };
  },
};

const listCommand: Command = {
  name: "devices list",
  summary: "List the enrolled devices",
  options: {},
  needsData: true,
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
    return { text: data.length === 0 ? "No devices." : table([header, ...rows]), data };
  },
};

const revokeCommand: Command = {
  name: "devices revoke",
  summary: "Revoke a device; its sessions and streams end at once",
  options: {},
  argument: "DEVICE_ID",
  needsData: true,
  async run(ctx, _values, deviceId) {
    if (deviceId === "") {
      throw new StartupError("devices revoke needs a DEVICE_ID; see devices list.");
    }
    await ctx.devices.revoke({ accountId: ctx.accountId, staffId: undefined }, deviceId);
    return { text: `Revoked ${deviceId}.`, data: { deviceId, revoked: true } };
  },
};

export const deviceCommands = [codeCommand, listCommand, revokeCommand];
