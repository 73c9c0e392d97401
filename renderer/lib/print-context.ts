import { createContext } from "react";

interface Prints {
  readonly printSale: (saleId: string) => Promise<void>;
  readonly printZReport: (zNumber: number) => Promise<void>;
  readonly printTestReceipt: () => Promise<void>;
}

function nowhere(): Promise<void> {
  return Promise.reject(new Error("nothing prints here"));
}

/** What the back office prints as the till does: the app puts it here, which knows the printers. */
export const PrintContext = createContext<Prints>({
  printSale: nowhere,
  printZReport: nowhere,
  printTestReceipt: nowhere,
});
