import type { checkConfig, StartErrand } from "../server/index.ts";

export type GatewayOptions = Omit<Parameters<typeof checkConfig>[0], "host"> & {
  /**
   * True if no port is configured. The shop then stores its own port, and a first start may copy
   * another shop.
   */
  readonly hasOwnPort?: boolean;
  readonly startErrand?: StartErrand;
};
