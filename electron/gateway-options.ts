import type { checkConfig, StartErrand } from "../server/index.ts";

/** Location of the till and its resources; other options come from the environment or the gateway. */
export type GatewayOptions = Omit<Parameters<typeof checkConfig>[0], "host"> & {
  /** True if no port is configured: the shop then has its own stored port, and a first start may copy a shop. */
  readonly hasOwnPort?: boolean;
  /** Starts background tasks; tests reuse threads. */
  readonly startErrand?: StartErrand;
};
