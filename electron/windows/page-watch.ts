import type { BrowserWindow, WebContents } from "electron/main";
import type { Log } from "../../server/index.ts";

/**
 * Waits for the page's report of its first screen. A loaded page does not prove that its script
 * runs.
 */
export interface PageWatch {
  arrived(): undefined;
  isThere(longest_ms: number): Promise<boolean>;
}

export function watchPage(): PageWatch {
  const { promise, resolve } = Promise.withResolvers<true>();
  return {
    arrived() {
      resolve(true);
      return undefined;
    },
    async isThere(longest_ms) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((done) => {
        timer = setTimeout(() => done(false), longest_ms).unref();
      });
      const isThere = await Promise.race([promise, late]);
      clearTimeout(timer);
      return isThere;
    },
  };
}

/** A page may be unresponsive for some time while it processes data. */
const UNRESPONSIVE_MS = 30_000;
/** Delays of reloads: none after the first crash, longer after each further crash. */
const RELOAD_AFTER_MS = [0, 5_000, 30_000];
/** If a page has run for this time, its next crash counts as the first. */
const STABLE_AFTER_MS = 60_000;

type Watched = Pick<BrowserWindow, "isDestroyed" | "loadURL" | "on"> & {
  readonly webContents: Pick<WebContents, "on" | "forcefullyCrashRenderer">;
};

/**
 * Reloads the page after a crash or hang, because a clerk cannot do this in kiosk mode. The page
 * then resends its stored sales with their ids.
 */
export function recoverPage(
  window: Watched,
  { url, log }: { url: string; log: Pick<Log, "error"> },
): void {
  let crashes = 0;
  let lastCrash = -Infinity;
  let hanging: NodeJS.Timeout | undefined;
  window.webContents.on("render-process-gone", (_event, details) => {
    clearTimeout(hanging);
    if (details.reason === "clean-exit" || window.isDestroyed()) {
      return;
    }
    const now = performance.now();
    crashes = now - lastCrash > STABLE_AFTER_MS ? 0 : crashes + 1;
    lastCrash = now;
    log.error({ ...details }, "till page crashed, reloading");
    const delay_ms = RELOAD_AFTER_MS[Math.min(crashes, RELOAD_AFTER_MS.length - 1)];
    setTimeout(() => {
      if (!window.isDestroyed()) {
        window.loadURL(url).catch((error: unknown) => log.error({ err: error }, "no page"));
      }
    }, delay_ms);
  });
  window.on("unresponsive", () => {
    clearTimeout(hanging);
    hanging = setTimeout(() => {
      if (!window.isDestroyed()) {
        window.webContents.forcefullyCrashRenderer();
      }
    }, UNRESPONSIVE_MS);
  });
  window.on("responsive", () => clearTimeout(hanging));
  window.on("closed", () => clearTimeout(hanging));
}
