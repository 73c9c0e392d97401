export { createEventsModule } from "./module.ts";
