import { createContext, type ReactNode } from "react";

export const AccountContext = createContext<ReactNode>(null);
