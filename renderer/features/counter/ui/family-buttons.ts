import { createContext, type ReactNode } from "react";

export const FamilyButtonsContext = createContext<ReactNode>(null);

/**
 * The sale that was just paid, shown above the field of the next sale; undefined without such a
 * sale.
 */
export const ResultContext = createContext<ReactNode>(undefined);
