import type { BrowserWindow, WebContents } from "electron/main";
import type { Log } from "../../server/index.ts";

/** Whether the page has come: that it was loaded says nothing of whether its script runs. */
export interface PageWatch {
  /** The page has said that its first screen is there. */
  arrived(): undefined;
  /** @returns false where it has not come by then */
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

/** How long a page may not react before it is ended; it may be at something large. */
const UNRESPONSIVE_MS = 30_000;
/** How long after a crash the page is loaded again: at once, then later where that crashes too. */
const RELOAD_AFTER_MS = [0, 5_000, 30_000];
/** A page that has lived for so long is taken for well. */
const WELL_AFTER_MS = 60_000;

type Watched = Pick<BrowserWindow, "isDestroyed" | "loadURL" | "on"> & {
  readonly webContents: Pick<WebContents, "on" | "forcefullyCrashRenderer">;
};

/**
 * Loads the page again after its process has crashed or hangs: nobody could do that in kiosk mode. Paid sales are stored,
 * and are sent again by their ids.
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
    crashes = now - lastCrash > WELL_AFTER_MS ? 0 : crashes + 1;
    lastCrash = now;
    log.error({ ...details }, "the till's page crashed and is loaded again");
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
