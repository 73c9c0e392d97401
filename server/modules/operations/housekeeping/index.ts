export { createHousekeepingModule } from "./module.ts";
