import type { App, WebContents } from "electron/main";
import type { Language } from "../server/contract/pos/setup.ts";
import type { Unfinished } from "../server/contract/pos/shifts.ts";
import { checkConfig, createGateway, readAhead, StartupError } from "../server/index.ts";
import type { ElectronMain } from "./electron-main.ts";
import { keepPort } from "./first-start/kept-port.ts";
import { prepareStart } from "./first-start/prepare-start.ts";
import { noteStoredSales } from "./first-start/stored-sales.ts";
import { createDesktopSealer } from "./secrets/desktop-sealer.ts";

/** The desktop's gateway serves this machine alone. */
const HOST = "127.0.0.1";

export interface HostedGateway {
  /** `http://127.0.0.1:<port>`: the one origin the window may show. */
  readonly origin: string;
  /** Notes, as the window goes, whether its page keeps a sale with this port (decision 0064). */
  noteLeaving(contents: Pick<WebContents, "executeJavaScript">): Promise<void>;
  noteStaying(): void;
  /** Work that should block quitting, and the language to say it in. */
  listUnfinished(): Promise<Unfinished & { language: Language }>;
  close(): Promise<void>;
}

/** The location of the till and its resources; the rest comes from the environment or the gateway. */
export type GatewayOptions = Omit<Parameters<typeof checkConfig>[0], "host"> & {
  /** Nobody named a port: the shop has one of its own, and a first start may take a shop over. */
  readonly hasOwnPort?: boolean;
};

/**
 * Runs the gateway inside the shell. When it cannot run, says why in one line, ends the app with
 * code 1 and answers undefined.
 */
export async function hostGateway(
  electron: Pick<ElectronMain, "app" | "dialog" | "safeStorage">,
  { hasOwnPort = false, ...options }: GatewayOptions,
): Promise<HostedGateway | undefined> {
  const { app, dialog, safeStorage } = electron;
  try {
    const given = checkConfig({ ...options, host: HOST });
    const config = hasOwnPort ? await prepareStart(electron, given) : given;
    if (config === undefined) {
      app.exit(0);
      return undefined;
    }
    const gateway = await createGateway(config, {
      sealer: (parts) => createDesktopSealer(safeStorage, parts),
    });
    const { url, port } = await listenOrClose(gateway);
    const { dataDir } = config;
    const callOff = readAhead();
    gateway.whenChecked().catch(async (error: unknown) => {
      showWhyNotStarted(dialog, error);
      await gateway.close().catch(report);
      app.exit(1);
    });
    return {
      origin: new URL(url).origin,
      noteLeaving: (contents) => noteStoredSales(contents, { dataDir, port }),
      noteStaying: () => keepPort(dataDir, { port, unsent: "perhaps" }),
      listUnfinished: () => gateway.listUnfinished(),
      close: () => {
        callOff();
        return gateway.close();
      },
    };
  } catch (error) {
    showWhyNotStarted(dialog, error);
    app.exit(1);
    return undefined;
  }
}

/** A gateway that was made but cannot listen still holds the data directory. */
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

/** Delays the app's end until the gateway has finished its work: once. */
export function closeBeforeQuit(app: App, gateway: Pick<HostedGateway, "close">): void {
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
      .finally(() => {
        state = "closed";
        app.quit();
      });
  });
}

/** One clear line for the person in front of the machine; the details go to the terminal. */
export function showWhyNotStarted(dialog: ElectronMain["dialog"], error: unknown): void {
  report(error);
  dialog.showErrorBox("Tillgate cannot start", lineFor(error));
}

/** A StartupError is written for people; anything else is an unforeseen fault. */
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
