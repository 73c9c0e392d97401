import type { App, WebContents } from "electron/main";
import {
  checkConfig,
  createGateway,
  type Gateway,
  type Log,
  StartupError,
} from "../server/index.ts";
import type { ElectronMain } from "./electron-main.ts";
import { keepPort, noteStoredSales } from "./first-start/kept-port.ts";
import { prepareStart } from "./first-start/prepare-start.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { createDesktopSealer } from "./secrets/desktop-sealer.ts";
import { type FirstStart, NOT_WATCHED } from "./updates/after-update.ts";

const HOST = "127.0.0.1";

export interface HostedGateway {
  /** `http://127.0.0.1:<port>`, the only origin that the window may show. */
  readonly origin: string;
  /** Records, when the window closes, whether its page stores a sale (decision 0064). */
  noteLeaving(contents: Pick<WebContents, "executeJavaScript">): Promise<void>;
  noteStaying(): void;
  noteSettings: Gateway["noteSettings"];
  noteWorks: Gateway["noteWorks"];
  listUnfinished: Gateway["listUnfinished"];
  readonly log: Pick<Log, "error">;
  close(): Promise<void>;
}

/**
 * Runs the gateway in the desktop app. If the gateway cannot run and the update is not undone,
 * shows the reason, ends the app with code 1 and returns undefined.
 */
export async function hostGateway(
  electron: Pick<ElectronMain, "app" | "dialog" | "safeStorage">,
  { hasOwnPort = false, startErrand, ...options }: GatewayOptions,
  firstStart: Pick<FirstStart, "undoneVersion" | "failed" | "isNotCounted"> = NOT_WATCHED,
): Promise<HostedGateway | undefined> {
  const { app, dialog, safeStorage } = electron;
  try {
    const given = checkConfig({ ...options, host: HOST, updates: "" });
    const config = hasOwnPort ? await prepareStart(electron, given) : given;
    if (config === undefined) {
      firstStart.isNotCounted();
      app.exit(0);
      return undefined;
    }
    const gateway = await createGateway(config, {
      ...(app.isPackaged && { version: app.getVersion() }),
      ...(firstStart.undoneVersion !== undefined && { undoneVersion: firstStart.undoneVersion }),
      ...(startErrand && { startErrand }),
      sealer: (parts) => createDesktopSealer(safeStorage, parts),
    });
    const { url, port } = await listenOrClose(gateway);
    const { dataDir } = config;
    gateway.readAhead();
    gateway.whenChecked().catch(async (error: unknown) => {
      await gateway.close().catch(report);
      await endAfter(error);
    });
    gateway.whenFailed().catch(async (error: unknown) => {
      await gateway.close().catch(report);
      await endAfter(error);
    });
    return {
      origin: new URL(url).origin,
      noteLeaving: (contents) => noteStoredSales(contents, { dataDir, port }),
      noteStaying: () => keepPort(dataDir, { port, unsent: "perhaps" }),
      noteWorks: () => gateway.noteWorks(),
      noteSettings: (...change) => gateway.noteSettings(...change),
      listUnfinished: () => gateway.listUnfinished(),
      log: gateway.context.log,
      close: () => gateway.close(),
    };
  } catch (error) {
    await endAfter(error);
    return undefined;
  }

  async function endAfter(error: unknown): Promise<void> {
    if (await firstStart.failed(error)) return;
    showWhyNotStarted(dialog, error);
    app.exit(1);
  }
}

/**
 * Starts listening. Closes the gateway if it cannot listen, because an open gateway locks the data
 * directory.
 */
async function listenOrClose(
  gateway: Awaited<ReturnType<typeof createGateway>>,
): Promise<{ url: string; port: number }> {
  try {
    return await gateway.listen();
  } catch (error) {
    await gateway.close().catch(report);
    throw error;
  }
}

/**
 * Delays the end of the app until the gateway has closed. Closes the gateway only once.
 * @param finish runs after the gateway has closed
 */
export function closeBeforeQuit(
  app: App,
  gateway: Pick<HostedGateway, "close">,
  finish: () => Promise<void> = async () => {},
): void {
  let state: "open" | "closing" | "closed" = "open";
  app.on("will-quit", (event) => {
    if (state === "closed") {
      return;
    }
    event.preventDefault();
    if (state === "closing") {
      return;
    }
    state = "closing";
    void gateway
      .close()
      .catch(report)
      .then(finish)
      .catch(report)
      .finally(() => {
        state = "closed";
        app.quit();
      });
  });
}

export function showWhyNotStarted(dialog: ElectronMain["dialog"], error: unknown): void {
  report(error);
  dialog.showErrorBox("Tillgate cannot start", lineFor(error));
}

/** Returns the message of a StartupError, which is written for people, or else a general text. */
function lineFor(error: unknown): string {
  if (error instanceof StartupError) {
    return error.message;
  }
  const cause = error instanceof Error ? error.message : String(error);
  return `Something went wrong that was not expected: ${cause.split("\n")[0]}`;
}

function report(error: unknown): void {
  if (error instanceof StartupError) {
    process.stderr.write(`${error.message}\n`);
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
}
