import { X509Certificate } from "node:crypto";
import { deviceOperations, type PosDevice } from "../../../contract/pos/devices.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { SECOND, toTimestamp } from "../../../lib/clock.ts";
import { CODE_LASTS_MS, type DeviceRow, type DeviceService } from "./device-service.ts";

export function registerDevices(app: App, devices: DeviceService): void {
  handle(app, deviceOperations.list, async ({ request }) => {
    const list = (await devices.list()).map((row) => viewDevice(row, request.device?.deviceId));
    const addresses = devices.readEntrance?.();
    if (!addresses) return { list };
    const authority = devices.authority && new X509Certificate(devices.authority).fingerprint256;
    return { list, entrance: { addresses, ...(authority && { authority }) } };
  });

  handle(app, deviceOperations.makeCode, async ({ actor: { accountId, staffId }, body }) => {
    const { code } = await devices.makeCode({ accountId, staffId }, body.name);
    return { code, lastsS: CODE_LASTS_MS / SECOND };
  });

  handle(app, deviceOperations.revoke, async ({ actor: { accountId, staffId }, params }) => {
    await devices.revoke({ accountId, staffId }, params.deviceId);
    return {};
  });
}

function viewDevice(row: DeviceRow, asking: string | undefined): PosDevice {
  return {
    deviceId: row.device_id,
    name: row.name,
    enrolledAt: toTimestamp(row.enrolled_at),
    seenAt: toTimestamp(row.seen_at),
    address: row.address,
    ...(row.revoked_at !== null && { revokedAt: toTimestamp(row.revoked_at) }),
    isHere: row.device_id === asking,
  };
}
