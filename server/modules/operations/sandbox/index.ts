export { createSandboxModule } from "./module.ts";
export { Sandbox } from "./sandbox.ts";
export { SPEEDS } from "./sandbox-clock.ts";
