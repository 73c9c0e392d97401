import type { BrowserWindow } from "electron/main";
import type { ElectronMain } from "./electron-main.ts";
import {
  closeBeforeQuit,
  type GatewayOptions,
  type HostedGateway,
  hostGateway,
  showWhyNotStarted,
} from "./gateway-host.ts";
import { handleIpc } from "./ipc/ipc-main.ts";
import { guardLeaving } from "./leaving/guard-leaving.ts";
import { printReceipt } from "./printing/print-receipt.ts";
import { checkFeed, watchUpdates } from "./updates/watch-updates.ts";
import { devServerOrigin, lockContents, lockSession, type Trust } from "./windows/lockdown.ts";
import { installMenu } from "./windows/menu.ts";
import { createTillWindow, focusWindow } from "./windows/till-window.ts";

export interface AppDeps {
  readonly gateway: GatewayOptions;
  /** The built preload script. */
  readonly preload: string;
  /** Where the renderer is served during development; a packaged app ignores it. */
  readonly devServerUrl?: string | undefined;
  /** Where new versions come from; undefined for nowhere. */
  readonly updateFeed?: string | undefined;
}

/**
 * Starts the desktop app: one instance, one gateway, one window. Resolves when the window shows
 * the till, or when there is nothing to start (a second instance, a gateway that cannot run).
 * Never rejects.
 */
export async function startApp(electron: ElectronMain, deps: AppDeps): Promise<void> {
  const { app } = electron;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  let till: BrowserWindow | undefined;
  app.on("second-instance", () => {
    if (till !== undefined) {
      focusWindow(till);
    }
  });
  app.on("window-all-closed", () => app.quit());

  await app.whenReady();
  try {
    checkFeed(deps.updateFeed);
  } catch (error) {
    showWhyNotStarted(electron.dialog, error);
    app.exit(1);
    return;
  }
  const gateway = await hostGateway(electron, deps.gateway);
  if (gateway === undefined) {
    return;
  }
  closeBeforeQuit(app, gateway);

  const trust = trustFor(gateway, app.isPackaged ? undefined : deps.devServerUrl);
  app.on("web-contents-created", (_event, contents) => {
    lockSession(contents.session, trust);
    lockContents(contents, trust);
  });
  const updates = watchUpdates(electron, gateway, deps.updateFeed);
  handleIpc(electron, trust, {
    "update:state": async () => updates.state(),
    "receipt:print": (contents, options) => printReceipt(contents, options),
  });
  installMenu(electron, { development: trust.devServer !== undefined });

  try {
    till = await createTillWindow(electron, {
      url: trust.devServer ?? trust.gateway,
      preload: deps.preload,
      development: trust.devServer !== undefined,
    });
    guardLeaving(electron, till, gateway);
  } catch (error) {
    showWhyNotStarted(electron.dialog, error);
    app.quit();
  }
}

function trustFor(gateway: HostedGateway, devServerUrl: string | undefined): Trust {
  const devServer = devServerOrigin(devServerUrl);
  return devServer === undefined
    ? { gateway: gateway.origin }
    : { gateway: gateway.origin, devServer };
}
