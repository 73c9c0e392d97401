import { createContext, useContext } from "react";
import type { CustomerSide } from "../features/counter/sale/shown/customer-side.ts";

export interface CustomerDisplay {
  readonly show: (side: CustomerSide) => void;
  readonly openSettings: () => void;
  /** The code of this till's display; undefined without one. */
  readonly code: string | undefined;
}

export const CustomerDisplayContext = createContext<CustomerDisplay>({
  show: () => undefined,
  openSettings: () => undefined,
  code: undefined,
});

/** Returns the customer display. Its content stays until the next call of `show`. */
export function useCustomerDisplay(): CustomerDisplay {
  return useContext(CustomerDisplayContext);
}
