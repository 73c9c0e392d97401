import { join } from "node:path";
import { type DesktopControl, desktopControl } from "./desktop/desktop-control.ts";
import { languageOf } from "./desktop/desktop-words.ts";
import { LINK_SCHEME, linkAmong, readSaleLink } from "./desktop/sale-link.ts";
import type { ElectronMain } from "./electron-main.ts";
import {
  closeBeforeQuit,
  type HostedGateway,
  hostGateway,
  showWhyNotStarted,
} from "./gateway-host.ts";
import { handleIpc } from "./ipc/ipc-main.ts";
import type { SaleLink } from "./ipc/ipc-map.ts";
import { guardLeaving } from "./leaving/guard-leaving.ts";
import { listPrinters, printReceipt } from "./printing/print-receipt.ts";
import type { FirstStart } from "./updates/after-update.ts";
import { prepareUpdates, type UpdateDeps } from "./updates/prepare-updates.ts";
import { UpdateWatch } from "./updates/watch-updates.ts";
import { devServerOrigin, lockContents, lockSession, type Trust } from "./windows/lockdown.ts";
import { installMenu } from "./windows/menu.ts";
import { recoverPage, watchPage } from "./windows/page-watch.ts";
import { createTillWindow } from "./windows/till-window.ts";

/** After an update, a slow machine needs up to a minute until the page is visible. */
const PAGE_TIMEOUT_MS = 2 * 60_000;

export interface AppDeps extends UpdateDeps {
  readonly preload: string;
  /** URL of the renderer in development; ignored in a packaged app. */
  readonly devServerUrl?: string | undefined;
  readonly longestForPage_ms?: number;
  /** URLs that the system asked the app to open before `startApp` was called. */
  readonly earlyUrls?: readonly string[];
  readonly args?: readonly string[];
  readonly program?: string;
}

/**
 * Starts the desktop app: one instance, one gateway, one window. Resolves when the window shows the
 * till, or when this instance ends. Never rejects.
 */
export async function startApp(electron: ElectronMain, deps: AppDeps): Promise<void> {
  const { app } = electron;
  if (!app.requestSingleInstanceLock()) return app.quit();
  const { args = [], program = process.execPath } = deps;
  let desktop: DesktopControl | undefined;
  let link = linkAmong([...args, ...(deps.earlyUrls ?? [])]);
  const open = (found: SaleLink | undefined) => {
    link = found ?? link;
    desktop?.open(found);
  };
  app.on("second-instance", (_event, others) => open(linkAmong(others)));
  // macOS sends links as events, possibly early in a start.
  app.on("open-url", (event, url) => {
    event.preventDefault();
    open(readSaleLink(url));
  });
  app.on("window-all-closed", () => app.quit());

  await app.whenReady();
  const updating = await prepareOrEnd(electron, deps);
  if (updating === undefined) return;
  const gateway = await hostGateway(electron, deps.gateway, updating.firstStart);
  if (gateway === undefined) return;
  const begun = { gateway, firstStart: updating.firstStart };
  const updates = new UpdateWatch(electron, gateway, updating.means);
  closeBeforeQuit(app, gateway, () => updates.finish());

  const trust = trustFor(gateway, app.isPackaged ? undefined : deps.devServerUrl);
  app.on("web-contents-created", (_event, contents) => {
    lockSession(contents.session, trust);
    lockContents(contents, trust);
  });
  const page = watchPage();
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  const control = desktopControl(electron, {
    gateway,
    isUpdateReady: () => updates.state.ready,
    language: languageOf(app.getLocale()),
    icon: join(deps.gateway.resourcesDir, "desktop/tray.png"),
    platform: process.platform,
    program,
    startsInKiosk: args.includes("--kiosk"),
  });
  handleIpc(electron, trust, {
    ...control.handlers,
    "page:there": async () => page.arrived(),
    "update:state": async () => updates.state,
    "printer:list": (contents) => listPrinters(contents),
    "receipt:print": (contents, options) => printReceipt(contents, options),
  });
  installMenu(electron, {
    development: trust.devServer !== undefined,
    onQuit: () => control.quit(),
  });

  try {
    const url = trust.devServer ?? trust.gateway;
    const till = await createTillWindow(electron, {
      url,
      preload: deps.preload,
      development: trust.devServer !== undefined,
    });
    recoverPage(till, { url, log: gateway.log });
    guardLeaving(electron, till, gateway, updates);
    control.attach(till);
    if (link) control.open(link);
    desktop = control;
  } catch (error) {
    return endFor(error, electron, begun);
  }
  const isThere = await page.isThere(deps.longestForPage_ms ?? PAGE_TIMEOUT_MS);
  if (await isToStay(isThere, electron, begun)) updates.begin();
}

/**
 * Handles a page that does not appear at the first start of a version. If the update cannot be
 * undone, the program continues, because a later version may work.
 * @returns whether the program continues
 */
async function isToStay(
  isThere: boolean,
  electron: ElectronMain,
  { gateway, firstStart }: Begun,
): Promise<boolean> {
  if (isThere) {
    await noteWorks(gateway, firstStart);
    return true;
  }
  if (!(await firstStart.canGoBack())) return true;
  await endFor(new Error("its window stays empty"), electron, { gateway, firstStart });
  return false;
}

interface Begun {
  readonly gateway: HostedGateway;
  readonly firstStart: FirstStart;
}

async function noteWorks(gateway: HostedGateway, firstStart: FirstStart): Promise<void> {
  try {
    await gateway.noteWorks();
  } catch (error) {
    // The next start tries again to record that this version works. Selling must not depend on it.
    process.stderr.write(`${String(error)}\n`);
  }
  await firstStart.works();
}

async function endFor(
  error: unknown,
  electron: ElectronMain,
  { gateway, firstStart }: Begun,
): Promise<void> {
  await gateway.close().catch(() => undefined);
  if (await firstStart.failed(error)) {
    return;
  }
  showWhyNotStarted(electron.dialog, error);
  electron.app.quit();
}

async function prepareOrEnd(electron: ElectronMain, deps: UpdateDeps) {
  try {
    const updating = await prepareUpdates(electron, deps);
    return (await updating.firstStart.goesBackAtOnce()) ? undefined : updating;
  } catch (error) {
    showWhyNotStarted(electron.dialog, error);
    electron.app.exit(1);
    return undefined;
  }
}

function trustFor(gateway: HostedGateway, devServerUrl: string | undefined): Trust {
  const devServer = devServerOrigin(devServerUrl);
  return devServer === undefined
    ? { gateway: gateway.origin }
    : { gateway: gateway.origin, devServer };
}
