import { createContext, useContext } from "react";
import type { Environment } from "../../../server/contract/common.ts";

/** Whose list is open: an owner prepares live's while the tills still sell in test. */
export const PricesEnvironment = createContext<Environment>("test");

export function usePricesEnvironment(): Environment {
  return useContext(PricesEnvironment);
}
