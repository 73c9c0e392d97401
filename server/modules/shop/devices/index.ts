import { X509Certificate } from "node:crypto";
import type { PosDevice } from "../../../contract/pos/devices.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { SECOND, toTimestamp } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import { CODE_LASTS_MS, type DeviceRow, DeviceService } from "./device-service.ts";

export { pruneDevices } from "./device-service.ts";

export function createDevicesModule(deps: Base) {
  const devices = new DeviceService(deps);
  return {
    services: { devices },
    async pages(app) {
      const { registerEnrolment } = await import("./enrolment-routes.ts");
      await app.register(async (scope) => registerEnrolment(scope as typeof app, devices));
    },
    pos: (app) => registerDevices(app, devices),
    stop: () => devices.stop(),
  } satisfies Module;
}

async function registerDevices(app: App, devices: DeviceService): Promise<void> {
  const { deviceOperations } = await import("../../../contract/pos/devices.ts");
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
