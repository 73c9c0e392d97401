import { createContext, useContext } from "react";
import type { CustomerSide } from "../features/counter/sale/shown/customer-side.ts";

/** The customer's display, as the screens of the till use it. */
export interface CustomerDisplay {
  readonly show: (side: CustomerSide) => void;
  readonly openSettings: () => void;
  /** The code of this till's display; undefined while it has none. */
  readonly code: string | undefined;
}

export const CustomerDisplayContext = createContext<CustomerDisplay>({
  show: () => undefined,
  openSettings: () => undefined,
  code: undefined,
});

/** What is shown to the customer stays until something else is. */
export function useCustomerDisplay(): CustomerDisplay {
  return useContext(CustomerDisplayContext);
}
