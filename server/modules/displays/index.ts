export { createDisplaysModule } from "./module.ts";
