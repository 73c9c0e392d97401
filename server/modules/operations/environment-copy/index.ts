export { createEnvironmentCopyModule } from "./module.ts";
