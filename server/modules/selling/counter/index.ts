export { createCounterModule } from "./module.ts";
