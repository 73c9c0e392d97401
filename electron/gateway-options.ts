import type { checkConfig, StartErrand } from "../server/index.ts";

export type GatewayOptions = Omit<Parameters<typeof checkConfig>[0], "host"> & {
  /**
   * True if no port is configured: the shop then stores its own port, and a first start may copy a
   * shop.
   */
  readonly hasOwnPort?: boolean;
  /** Starts background tasks. Tests pass a function that reuses threads. */
  readonly startErrand?: StartErrand;
};
