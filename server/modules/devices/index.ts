export { pruneDevices } from "./device-store.ts";
export { createDevicesModule } from "./module.ts";
