import { createContext, type ReactNode } from "react";

/** The buttons of the product types, which each first step draws below its field. */
export const FamilyButtonsContext = createContext<ReactNode>(null);

/** The sale that was just paid, above the field in which the next one starts; undefined while there is none. */
export const ResultContext = createContext<ReactNode>(undefined);
