/**
 * Electron's main process as far as the shell uses it, without a runtime. It keeps what it is told
 * and emits what Electron would, so that the shell's own code runs unchanged in a plain Node test.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  PrinterInfo,
  SafeStorage,
  WebContentsPrintOptions,
} from "electron/main";
import type { ElectronMain } from "../electron-main.ts";

/** An event that remembers whether it was prevented. */
export class PreventableEvent {
  readonly url: string;
  prevented = false;

  constructor(url = "") {
    this.url = url;
  }

  preventDefault(): void {
    this.prevented = true;
  }
}

export class SessionStandIn {
  permissionRequest?: (
    contents: unknown,
    permission: string,
    answer: (yes: boolean) => void,
  ) => void;
  permissionCheck?: (...args: unknown[]) => boolean;
  deviceCheck?: (...args: unknown[]) => boolean;
  beforeRequest?: (
    details: { url: string },
    answer: (response: { cancel?: boolean }) => void,
  ) => void;
  headersReceived?: (
    details: { responseHeaders?: Record<string, string[]> },
    answer: (response: { responseHeaders?: Record<string, string[]> }) => void,
  ) => void;

  readonly webRequest = {
    onBeforeRequest: (listener: SessionStandIn["beforeRequest"] & object) => {
      this.beforeRequest = listener;
    },
    onHeadersReceived: (listener: SessionStandIn["headersReceived"] & object) => {
      this.headersReceived = listener;
    },
  };

  setPermissionRequestHandler(handler: SessionStandIn["permissionRequest"] & object): void {
    this.permissionRequest = handler;
  }

  setPermissionCheckHandler(handler: SessionStandIn["permissionCheck"] & object): void {
    this.permissionCheck = handler;
  }

  setDevicePermissionHandler(handler: SessionStandIn["deviceCheck"] & object): void {
    this.deviceCheck = handler;
  }
}

export class WebContentsStandIn extends EventEmitter {
  readonly session: SessionStandIn;
  windowOpen?: (details: { url: string }) => { action: string };
  printers: Partial<PrinterInfo>[] = [{ name: "receipts" }];
  printed: WebContentsPrintOptions[] = [];
  /** The page would rather stay. */
  holdsUnload = false;
  /** What the printer answers; "" is success. */
  printFailure = "";

  constructor(session: SessionStandIn) {
    super();
    this.session = session;
  }

  setWindowOpenHandler(handler: WebContentsStandIn["windowOpen"] & object): void {
    this.windowOpen = handler;
  }

  async getPrintersAsync(): Promise<Partial<PrinterInfo>[]> {
    return this.printers;
  }

  print(
    options: WebContentsPrintOptions = {},
    done?: (success: boolean, reason: string) => void,
  ): void {
    this.printed.push(options);
    done?.(this.printFailure === "", this.printFailure);
  }
}

export class WindowStandIn extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents: WebContentsStandIn;
  readonly calls: string[] = [];
  url = "";
  minimized = false;
  isClosed = false;
  private readonly fails: boolean;

  constructor(
    options: BrowserWindowConstructorOptions,
    webContents: WebContentsStandIn,
    fails: boolean,
  ) {
    super();
    this.options = options;
    this.webContents = webContents;
    this.fails = fails;
  }

  async loadURL(url: string): Promise<void> {
    if (this.fails) {
      throw new Error("ERR_FAILED (-2)");
    }
    this.url = url;
    this.emit("ready-to-show");
  }

  isDestroyed(): boolean {
    return false;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  restore(): void {
    this.calls.push("restore");
  }

  show(): void {
    this.calls.push("show");
  }

  focus(): void {
    this.calls.push("focus");
  }

  /** As a person does, or `app.quit()`: whoever listens may keep it open. */
  close(): void {
    if (this.isClosed) {
      return;
    }
    const closing = new PreventableEvent();
    this.emit("close", closing);
    if (closing.prevented) {
      return;
    }
    if (this.webContents.holdsUnload) {
      const unload = new PreventableEvent();
      this.webContents.emit("will-prevent-unload", unload);
      // Prevented is the page's wish to stay.
      if (!unload.prevented) {
        return;
      }
    }
    this.isClosed = true;
    this.emit("closed");
  }
}

/** The keyring of a user: what another one sealed it does not open. */
export class SafeStorageStandIn {
  available = true;
  backend: ReturnType<SafeStorage["getSelectedStorageBackend"]> = "gnome_libsecret";
  user = "olga";
  locked = false;

  isEncryptionAvailable(): boolean {
    return this.available;
  }

  getSelectedStorageBackend(): SafeStorageStandIn["backend"] {
    return this.backend;
  }

  encryptString(text: string): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.key(), iv);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  decryptString(sealed: Buffer): string {
    const decipher = createDecipheriv("aes-256-gcm", this.key(), sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(12, 28));
    return decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8");
  }

  private key(): Buffer {
    if (this.locked) throw new Error("The keyring is locked.");
    return createHash("sha256").update(this.user).digest();
  }
}

/** The system's updater: a version comes when a test says so. */
class AutoUpdaterStandIn extends EventEmitter {
  feedUrl: string | undefined;
  asked = 0;
  installed = 0;
  /** What becomes of the app when it is installed. */
  onInstall: () => void = () => {};

  setFeedURL({ url }: { url: string }): void {
    this.feedUrl = url;
  }

  checkForUpdates(): void {
    this.asked += 1;
  }

  quitAndInstall(): void {
    this.installed += 1;
    this.onInstall();
  }
}

type IpcHandler = (event: unknown, ...args: unknown[]) => Promise<unknown>;

interface StandInOptions {
  readonly isFirst?: boolean;
  readonly isPackaged?: boolean;
  /** Pages cannot be shown. */
  readonly failsToLoad?: boolean;
}

export class ElectronStandIn {
  readonly windows: WindowStandIn[] = [];
  readonly errorBoxes: { title: string; content: string }[] = [];
  readonly handlers = new Map<string, IpcHandler>();
  readonly session = new SessionStandIn();
  readonly safeStorage = new SafeStorageStandIn();
  readonly autoUpdater = new AutoUpdaterStandIn();
  readonly questions: MessageBoxOptions[] = [];
  /** The button a person presses; the first is always the one that changes nothing. */
  pressed = 0;
  menu: MenuItemConstructorOptions[] = [];
  exitCode: number | undefined;
  private readonly failsToLoad: boolean;
  /** Resolves when nothing holds the app's end back any more. */
  readonly ended: Promise<void>;
  readonly app: EventEmitter;

  readonly ipcMain = {
    handle: (channel: string, handler: IpcHandler) => this.handlers.set(channel, handler),
  };
  readonly dialog = {
    showErrorBox: (title: string, content: string) => this.errorBoxes.push({ title, content }),
    showMessageBox: async (_window: unknown, options: MessageBoxOptions) => ({
      response: this.answer(options),
    }),
    showMessageBoxSync: (_window: unknown, options: MessageBoxOptions) => this.answer(options),
  };
  readonly Menu = {
    buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
    setApplicationMenu: (menu: MenuItemConstructorOptions[]) => {
      this.menu = menu;
    },
  };

  /** A constructor that returns an object answers with it: `new` gets the stand-in window. */
  readonly BrowserWindow: unknown;

  constructor(options: StandInOptions = {}) {
    const { isFirst = true, isPackaged = false } = options;
    this.failsToLoad = options.failsToLoad ?? false;
    const openWindow = (window: BrowserWindowConstructorOptions) => this.openWindow(window);
    this.BrowserWindow = function BrowserWindow(window: BrowserWindowConstructorOptions) {
      return openWindow(window);
    };
    const end = Promise.withResolvers<void>();
    this.ended = end.promise;
    this.app = Object.assign(new EventEmitter(), {
      isPackaged,
      requestSingleInstanceLock: () => isFirst,
      whenReady: () => Promise.resolve(),
      getVersion: () => "1.2.3",
      exit: (code: number) => {
        this.exitCode = code;
        end.resolve();
      },
      quit: () => {
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
    this.autoUpdater.onInstall = () => this.asElectron().app.quit();
  }

  /** What the shell is started with: the one place where the stand-in is believed. */
  asElectron(): ElectronMain {
    return this as unknown as ElectronMain;
  }

  /** What a page's `invoke` comes to: the handler of its channel, as if from `frame`. */
  async invoke(channel: string, frame: FrameStandIn | null, ...args: unknown[]): Promise<unknown> {
    const handler = this.handlers.get(channel);
    if (handler === undefined) {
      throw new Error(`No handler for ${channel}`);
    }
    return await handler({ sender: this.windows[0]?.webContents, senderFrame: frame }, ...args);
  }

  private answer(options: MessageBoxOptions): number {
    this.questions.push(options);
    return this.pressed;
  }

  private openWindow(options: BrowserWindowConstructorOptions): WindowStandIn {
    const contents = new WebContentsStandIn(this.session);
    const window = new WindowStandIn(options, contents, this.failsToLoad);
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
