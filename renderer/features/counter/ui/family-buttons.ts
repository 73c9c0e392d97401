import { createContext, type ReactNode } from "react";

/** Product type buttons, which each first step draws below its field. */
export const FamilyButtonsContext = createContext<ReactNode>(null);

/**
 * The sale that was just paid, shown above the field of the next sale; undefined while there is
 * none.
 */
export const ResultContext = createContext<ReactNode>(undefined);
