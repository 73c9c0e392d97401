/**
 * Messages between page and shell, one entry per channel. The renderer may `import type` from this
 * file; at run time it uses only `window.tillgate`.
 */

export type PaperWidthMm = 58 | 80 | 210;

/** Page size in millimetres: a sheet, or roll paper whose length fits the print. */
export interface PrintOptions {
  readonly paperWidthMm: PaperWidthMm;
  readonly paperHeightMm: number;
  /** System name of the printer; if absent, the default printer. */
  readonly deviceName?: string;
  /**
   * Uses the page size of the printer's driver, because drivers for 48 or 72 mm have no page of 58
   * or 80 mm.
   */
  readonly driverPage?: boolean;
}

export interface DevicePrinter {
  readonly name: string;
  readonly displayName: string;
}

export type PrintFailure = "NO_PRINTER" | "CANCELLED" | "FAILED";

export interface PrintResult {
  readonly printed: boolean;
  readonly reason?: PrintFailure;
}

/** A downloaded version. The shell installs it when no shift is open and all work is finished. */
export interface UpdateState {
  readonly ready: boolean;
  /** True if the installation failed. The shell retries it. */
  readonly failed?: boolean;
}

export interface DesktopSettings {
  readonly startsAtLogin: boolean;
  /** Kiosk mode, now and at every start: the screen shows only the till. */
  readonly kiosk: boolean;
  readonly tray: boolean;
}
export type DesktopChange = Partial<DesktopSettings>;

export interface SaleLink {
  readonly number?: string;
  readonly saleId?: string;
}

export interface IpcMap {
  readonly "page:there": { readonly args: []; readonly result: undefined };
  readonly "desktop:settings": { readonly args: []; readonly result: DesktopSettings };
  /** Requires a signed-in owner. */
  readonly "desktop:change": { readonly args: [DesktopChange]; readonly result: DesktopSettings };
  /** Ends kiosk mode with the signed-in owner's PIN. Also quits the program if requested. */
  readonly "kiosk:end": { readonly args: [KioskEnd]; readonly result: KioskEnded };
  readonly "link:take": { readonly args: []; readonly result: SaleLink | null };
  readonly "update:state": { readonly args: []; readonly result: UpdateState };
  readonly "printer:list": { readonly args: []; readonly result: readonly DevicePrinter[] };
  readonly "receipt:print": { readonly args: [PrintOptions]; readonly result: PrintResult };
}
export type Channel = keyof IpcMap;

export interface KioskEnd {
  readonly pin: string;
  readonly quits: boolean;
}

export type KioskEnded =
  | { readonly settings: DesktopSettings }
  | { readonly refusal: { readonly status: number; readonly body: PinRefusal } };

interface PinRefusal {
  readonly errorCode: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface DesktopShell {
  readonly version: string;
  /** Reports that the first screen is visible. A new version then counts as working. */
  isThere(): Promise<void>;
  printers(): Promise<readonly DevicePrinter[]>;
  /** Prints without a dialog. Returns a failure as a result; never throws. */
  print(options: PrintOptions): Promise<PrintResult>;
  updateState(): Promise<UpdateState>;
  desktopSettings(): Promise<DesktopSettings>;
  changeDesktop(change: DesktopChange): Promise<DesktopSettings>;
  endKiosk(end: KioskEnd): Promise<KioskEnded>;
  /** Calls `ask` when the quit shortcut is pressed in kiosk mode while an owner is signed in. */
  onQuitAsked(ask: () => void): () => void;
  /**
   * Calls `open` for a waiting link and for each later link. `open` requests a sign-in first if
   * needed.
   */
  onLink(open: (link: SaleLink) => void): () => void;
}

declare global {
  interface Window {
    readonly tillgate?: DesktopShell;
  }
}

/**
 * Argument that passes the version to the preload script, because the sandboxed script cannot read
 * the version from the app.
 */
export const VERSION_ARGUMENT = "--tillgate-version=";

export const QUIT_ASKED = "kiosk:quit-asked";

export const LINK_ARRIVED = "link:arrived";
