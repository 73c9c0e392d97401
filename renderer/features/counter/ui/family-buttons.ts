import { createContext, type ReactNode } from "react";

export const FamilyButtonsContext = createContext<ReactNode>(null);

/** The sale just paid, shown above the field of the next sale. */
export const ResultContext = createContext<ReactNode>(undefined);
