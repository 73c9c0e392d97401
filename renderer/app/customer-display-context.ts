import { createContext, useContext } from "react";
import type { CustomerSide } from "../features/counter/sale/shown/customer-side.ts";

/** The customer's display, as the screens of the till use it. */
export interface CustomerDisplay {
  readonly show: (side: CustomerSide) => void;
  readonly openSettings: () => void;
}

export const CustomerDisplayContext = createContext<CustomerDisplay>({
  show: () => undefined,
  openSettings: () => undefined,
});

/** Shows the customer their side; it stays until something else is shown. */
export function useCustomerDisplay(): CustomerDisplay["show"] {
  return useContext(CustomerDisplayContext).show;
}
