/**
 * Stand-in for the parts of Electron's main process that the shell uses. Records calls and emits
 * Electron's events.
 */
import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  MessageBoxOptions,
} from "electron/main";
import type { ElectronMain } from "../electron-main.ts";
import { SafeStorageStandIn, TrayStandIn } from "./system-stand-ins.ts";
import {
  PreventableEvent,
  SessionStandIn,
  WebContentsStandIn,
  WindowStandIn,
} from "./window-stand-in.ts";

type IpcHandler = (event: unknown, ...args: unknown[]) => Promise<unknown>;

interface StandInOptions {
  readonly isFirst?: boolean;
  readonly isPackaged?: boolean;
  readonly userData?: string;
  readonly version?: string;
  readonly failsToLoad?: boolean;
  /** True if pages load without running their scripts. */
  readonly isPageEmpty?: boolean;
}

export class ElectronStandIn {
  readonly windows: WindowStandIn[] = [];
  readonly errorBoxes: { title: string; content: string }[] = [];
  readonly handlers = new Map<string, IpcHandler>();
  readonly session = new SessionStandIn();
  readonly safeStorage = new SafeStorageStandIn();
  /** Emits only the event that Electron emits before it quits for an update. */
  readonly autoUpdater = new EventEmitter();
  readonly questions: MessageBoxOptions[] = [];
  /** Program files that the system starts after this program ends. */
  readonly relaunched: string[] = [];
  /** Index of the button pressed in each question. The first button never changes anything. */
  pressed = 0;
  /** Buttons pressed in the first questions. Later questions use `pressed`. */
  presses: number[] = [];
  picked: string | undefined;
  readonly schemes: string[] = [];
  startsAtLogin = false;
  readonly trays: TrayStandIn[] = [];
  menu: MenuItemConstructorOptions[] = [];
  exitCode: number | undefined;
  private readonly failsToLoad: boolean;
  private readonly isPageEmpty: boolean;
  readonly ended: Promise<void>;
  readonly app: EventEmitter;

  readonly ipcMain = {
    handle: (channel: string, handler: IpcHandler) => this.handlers.set(channel, handler),
  };
  readonly dialog = {
    showErrorBox: (title: string, content: string) => this.errorBoxes.push({ title, content }),
    showMessageBox: async (...given: unknown[]) => ({
      response: this.answer(given.at(-1) as MessageBoxOptions),
    }),
    showOpenDialog: async () => ({
      canceled: this.picked === undefined,
      filePaths: this.picked === undefined ? [] : [this.picked],
    }),
    showMessageBoxSync: (_window: unknown, options: MessageBoxOptions) => this.answer(options),
  };
  readonly Menu = {
    buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
    setApplicationMenu: (menu: MenuItemConstructorOptions[]) => {
      this.menu = menu;
    },
  };

  readonly BrowserWindow: unknown;
  readonly Tray: unknown;

  constructor(options: StandInOptions = {}) {
    const { isFirst = true, isPackaged = false, version = "1.2.3" } = options;
    this.failsToLoad = options.failsToLoad ?? false;
    this.isPageEmpty = options.isPageEmpty ?? false;
    const openWindow = (window: BrowserWindowConstructorOptions) => this.openWindow(window);
    this.BrowserWindow = function BrowserWindow(window: BrowserWindowConstructorOptions) {
      return openWindow(window);
    };
    const { trays } = this;
    this.Tray = function Tray() {
      const tray = new TrayStandIn();
      trays.push(tray);
      return tray;
    };
    const end = Promise.withResolvers<void>();
    this.ended = end.promise;
    this.app = Object.assign(new EventEmitter(), {
      isPackaged,
      requestSingleInstanceLock: () => isFirst,
      whenReady: () => Promise.resolve(),
      getVersion: () => version,
      relaunch: ({ execPath = process.execPath }: { execPath?: string } = {}) =>
        this.relaunched.push(execPath),
      getLocale: () => "es-GT",
      getPath: () => options.userData ?? join(tmpdir(), "tillgate-no-such-folder"),
      setAsDefaultProtocolClient: (scheme: string) => this.schemes.push(scheme),
      getLoginItemSettings: () => ({ openAtLogin: this.startsAtLogin }),
      setLoginItemSettings: ({ openAtLogin }: { openAtLogin: boolean }) => {
        this.startsAtLogin = openAtLogin;
      },
      exit: (code: number) => {
        this.exitCode = code;
        end.resolve();
      },
      quit: () => {
        this.app.emit("before-quit", new PreventableEvent());
        for (const window of this.windows) window.close();
        if (this.windows.some(({ isClosed }) => !isClosed)) {
          return;
        }
        const event = new PreventableEvent();
        this.app.emit("will-quit", event);
        if (!event.prevented) {
          this.exitCode = 0;
          end.resolve();
        }
      },
    });
  }

  asElectron(): ElectronMain {
    return this as unknown as ElectronMain;
  }

  async invoke(channel: string, frame: FrameStandIn | null, ...args: unknown[]): Promise<unknown> {
    const handler = this.handlers.get(channel);
    if (handler === undefined) {
      throw new Error(`No handler for ${channel}`);
    }
    return await handler({ sender: this.windows[0]?.webContents, senderFrame: frame }, ...args);
  }

  private answer(options: MessageBoxOptions): number {
    this.questions.push(options);
    return this.presses.shift() ?? this.pressed;
  }

  private async sayThere({ url }: WindowStandIn): Promise<void> {
    if (this.isPageEmpty || !this.handlers.has("page:there")) return;
    await this.invoke("page:there", { url: `${url}/`, parent: null });
  }

  private openWindow(options: BrowserWindowConstructorOptions): WindowStandIn {
    const contents = new WebContentsStandIn(this.session);
    const onShown = () => void this.sayThere(window);
    const window = new WindowStandIn(options, contents, { fails: this.failsToLoad, onShown });
    this.windows.push(window);
    window.on("closed", () => {
      if (this.windows.every(({ isClosed }) => isClosed)) this.app.emit("window-all-closed");
    });
    this.app.emit("web-contents-created", {}, contents);
    this.app.emit("browser-window-created", {}, window);
    return window;
  }
}

export interface FrameStandIn {
  readonly url: string;
  readonly parent: FrameStandIn | null;
}
