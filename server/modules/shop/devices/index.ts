import type { Base, Module } from "../../module.ts";
import { DeviceService } from "./device-service.ts";

export { pruneDevices } from "./device-service.ts";

export function createDevicesModule(deps: Base) {
  const devices = new DeviceService(deps);
  return {
    services: { devices },
    async pages(app) {
      const { registerEnrolment } = await import("./enrolment-routes.ts");
      await app.register(async (scope) => registerEnrolment(scope as typeof app, devices));
    },
    pos: async (app) => (await import("./device-routes.ts")).registerDevices(app, devices),
    stop: () => devices.stop(),
  } satisfies Module;
}
