import { createContext, type ReactNode } from "react";

/** The entry of the person who is signed in. The shell makes it; the navigation of the back office shows it. */
export const AccountContext = createContext<ReactNode>(null);
