import { createContext } from "react";

interface Prints {
  readonly printSale: (saleId: string) => Promise<void>;
  readonly printZReport: (zNumber: number) => Promise<void>;
  readonly printTestReceipt: () => Promise<void>;
}

function nowhere(): Promise<void> {
  return Promise.reject(new Error("nothing prints here"));
}

export const PrintContext = createContext<Prints>({
  printSale: nowhere,
  printZReport: nowhere,
  printTestReceipt: nowhere,
});
