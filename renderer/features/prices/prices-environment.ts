import { createContext, useContext } from "react";
import type { Environment } from "../../../server/contract/common.ts";

/**
 * Environment of the displayed list. An owner can prepare live prices while the tills sell in test.
 */
export const PricesEnvironment = createContext<Environment>("test");

export function usePricesEnvironment(): Environment {
  return useContext(PricesEnvironment);
}
