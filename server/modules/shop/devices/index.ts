export { pruneDevices } from "./device-store.ts";
export { entranceOf } from "./entrance.ts";
export { createDevicesModule } from "./module.ts";
