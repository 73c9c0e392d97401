import { EventEmitter } from "node:events";
import type {
  BrowserWindowConstructorOptions,
  PrinterInfo,
  WebContentsPrintOptions,
} from "electron/main";

export class PreventableEvent {
  readonly url: string;
  prevented = false;

  constructor(url = "") {
    this.url = url;
  }

  get defaultPrevented(): boolean {
    return this.prevented;
  }

  preventDefault(): void {
    this.prevented = true;
  }
}

export class SessionStandIn {
  cookie = "";
  readonly cookies = {
    get: async () => {
      const [name = "", value = ""] = this.cookie.split("=");
      return this.cookie === "" ? [] : [{ name, value }];
    },
  };
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
  readonly sent: string[] = [];
  keepsSale = false;
  holdsUnload = false;
  /** The printer's error; "" if printing succeeds. */
  printFailure = "";

  constructor(session: SessionStandIn) {
    super();
    this.session = session;
  }

  setWindowOpenHandler(handler: WebContentsStandIn["windowOpen"] & object): void {
    this.windowOpen = handler;
  }

  send(channel: string): void {
    this.sent.push(channel);
  }

  async executeJavaScript(): Promise<boolean> {
    return this.keepsSale;
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
  kiosk = false;
  isClosed = false;
  private readonly fails: boolean;
  private readonly onShown: () => void;

  constructor(
    options: BrowserWindowConstructorOptions,
    webContents: WebContentsStandIn,
    { fails, onShown }: { fails: boolean; onShown: () => void },
  ) {
    super();
    this.options = options;
    this.webContents = webContents;
    this.fails = fails;
    this.onShown = onShown;
  }

  async loadURL(url: string): Promise<void> {
    if (this.fails) {
      throw new Error("ERR_FAILED (-2)");
    }
    this.url = url;
    this.emit("ready-to-show");
    this.onShown();
  }

  isDestroyed(): boolean {
    return false;
  }

  isKiosk(): boolean {
    return this.kiosk;
  }

  setKiosk(kiosk: boolean): void {
    this.kiosk = kiosk;
  }

  setMenuBarVisibility(isShown: boolean): void {
    this.calls.push(isShown ? "menu" : "no menu");
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

  /** Closes the window as a person or `app.quit()` does. Listeners may prevent this. */
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
      // As in Electron, the window closes only if a handler prevents this event.
      if (!unload.prevented) {
        return;
      }
    }
    this.isClosed = true;
    this.emit("closed");
  }
}
