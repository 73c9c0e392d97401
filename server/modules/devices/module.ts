import type { Base, Module } from "../module.ts";
import { registerDevices } from "./device-routes.ts";
import { DeviceService } from "./device-service.ts";
import { registerEnrolment } from "./enrolment-routes.ts";

export function createDevicesModule(deps: Base) {
  const devices = new DeviceService(deps);
  return {
    services: { devices },
    async root(app) {
      await app.register(async (scope) => registerEnrolment(scope as typeof app, devices));
    },
    pos: (app) => registerDevices(app, devices),
    stop: () => devices.stop(),
  } satisfies Module;
}
