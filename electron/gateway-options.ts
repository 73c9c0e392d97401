import type { checkConfig, StartErrand } from "../server/index.ts";

/** The location of the till and its resources; the rest comes from the environment or the gateway. */
export type GatewayOptions = Omit<Parameters<typeof checkConfig>[0], "host"> & {
  /** Nobody named a port: the shop has one of its own, and a first start may take a shop over. */
  readonly hasOwnPort?: boolean;
  /** Where background tasks are performed; tests keep threads. */
  readonly startErrand?: StartErrand;
};
