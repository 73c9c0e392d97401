import { createContext, useContext } from "react";
import type { Environment } from "../../../server/contract/common.ts";

/** The environment of the open list: an owner prepares live's while the tills still sell in test. */
export const PricesEnvironment = createContext<Environment>("test");

export function usePricesEnvironment(): Environment {
  return useContext(PricesEnvironment);
}
