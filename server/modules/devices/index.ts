export { createDevicesModule } from "./module.ts";
