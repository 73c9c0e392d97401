export { SCENARIOS } from "../../../providers/simulator/scenario.ts";
export type { ClockService } from "./clock-service.ts";
export { createNamedSandboxesModule, createSandboxModule } from "./module.ts";
export type { NamedSandboxes } from "./named-sandboxes.ts";
export { Sandbox } from "./sandbox.ts";
export { deriveControlToken } from "./sandbox-control.ts";
export type { OpenBy } from "./sandbox-pool.ts";
export { describeSandboxRoutes } from "./sandbox-routes.ts";
export type { SandboxWallet } from "./sandbox-wallet.ts";
