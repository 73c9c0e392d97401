export { createSupportModule } from "./module.ts";
