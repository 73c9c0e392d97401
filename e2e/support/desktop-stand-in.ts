/**
 * `window.tillgate` for a browser, as the desktop program provides it: an updater and a printer.
 */
import type { Page } from "@playwright/test";
import type { SaleLink } from "../../electron/ipc/ipc-map.ts";

/** Function with which the test opens a sale's link: `openSaleLink({ number: "42" })`. */
const OPEN_LINK = "openSaleLink";
const WAITING_LINK = "waitingSaleLink";

export async function openLink(page: Page, link: SaleLink): Promise<void> {
  await page.evaluate(
    ([name, given]) => (Reflect.get(globalThis, name) as (of: SaleLink) => void)(given),
    [OPEN_LINK, link] as const,
  );
}

/** Stores a sale's link, as the program does while no page accepts links. */
export async function leaveLink(page: Page, link: SaleLink): Promise<void> {
  await page.evaluate(([name, given]) => Object.assign(globalThis, { [name]: given }), [
    WAITING_LINK,
    link,
  ] as const);
}

/**
 * Installs `window.tillgate` in every page opened from now on, before any script of the till.
 * @returns a function that sets whether a version waits for its installation
 */
export async function standInForDesktop(page: Page): Promise<(ready: boolean) => void> {
  let ready = false;
  await page.exposeFunction("isUpdateReady", () => ready);
  await page.addInitScript(
    ([openName, waitingName]) => {
      const settings = { startsAtLogin: false, kiosk: false, tray: true };
      const isUpdateReady = Reflect.get(globalThis, "isUpdateReady") as () => Promise<boolean>;
      Object.assign(globalThis, {
        tillgate: {
          version: "0.1.0",
          printers: async () => [{ name: "receipts", displayName: "Receipts" }],
          print: () => Promise.resolve({ printed: true }),
          updateState: async () => ({ ready: await isUpdateReady() }),
          desktopSettings: async () => ({ ...settings }),
          endKiosk: async () => ({ settings: { ...Object.assign(settings, { kiosk: false }) } }),
          onQuitAsked: () => () => {},
          changeDesktop: async (change: object) => ({ ...Object.assign(settings, change) }),
          onLink: (open: (link: SaleLink) => void) => {
            Object.assign(globalThis, { [openName]: open });
            const waiting = Reflect.get(globalThis, waitingName) as SaleLink | undefined;
            Reflect.deleteProperty(globalThis, waitingName);
            if (waiting) open(waiting);
            return () => Reflect.deleteProperty(globalThis, openName);
          },
        },
      });
    },
    [OPEN_LINK, WAITING_LINK] as const,
  );
  return (isReady) => {
    ready = isReady;
  };
}
