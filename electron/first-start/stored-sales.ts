import type { WebContents } from "electron/main";
import { keepPort } from "./kept-port.ts";

/** Whether the page's storage has a sale that was begun (`attempt-store.ts` of the till). */
const KEEPS_A_SALE = `Object.entries(localStorage).some(([key, value]) =>
  key.startsWith("tillgate.attempt") && value !== "[]")`;

/** As the program ends in order: notes that no sale is kept with this port, where the page says so. */
export async function noteStoredSales(
  contents: Pick<WebContents, "executeJavaScript">,
  { dataDir, port }: { readonly dataDir: string; readonly port: number },
): Promise<void> {
  const keepsNone = await contents.executeJavaScript(KEEPS_A_SALE).then(
    (keeps: unknown) => keeps === false,
    () => false,
  );
  if (keepsNone) keepPort(dataDir, { port, unsent: "none" });
}
