/**
 * Everything that crosses from the page to the shell: one entry a channel. The renderer may
 * `import type` from here; it never sees a channel name, only `window.tillgate`.
 */

/** The two rolls, and A4. */
export type PaperWidthMm = 58 | 80 | 210;

/** A page: of a roll as long as what is printed on it, else as long as a sheet. Millimetres. */
export interface PrintOptions {
  readonly paperWidthMm: PaperWidthMm;
  readonly paperHeightMm: number;
  /** The computer's printer by the name that the system has for it; the default one where it is left out. */
  readonly deviceName?: string;
  /** The page is as large as the printer's driver is set to: drivers of 48 or 72 mm know no page of 58 or 80 mm. */
  readonly driverPage?: boolean;
}

/** A printer of this computer. */
export interface DevicePrinter {
  readonly name: string;
  /** What the system calls it to people. */
  readonly displayName: string;
}

/** Why nothing was printed. The page has the words for it. */
export type PrintFailure = "NO_PRINTER" | "CANCELLED" | "FAILED";

export interface PrintResult {
  readonly printed: boolean;
  readonly reason?: PrintFailure;
}

/** A new version that is fetched, and installed once no shift is open and nothing is unfinished. */
export interface UpdateState {
  readonly ready: boolean;
  /** It could not be installed; that is tried again. */
  readonly failed?: boolean;
}

/** What an owner sets of the desktop program on this machine. */
export interface DesktopSettings {
  readonly startsAtLogin: boolean;
  /** The till alone on the screen, now and at every start. */
  readonly kiosk: boolean;
  /** The gateway's state beside the machine's clock. */
  readonly tray: boolean;
}
export type DesktopChange = Partial<DesktopSettings>;

/** A sale that a `tillgate:` link names, by its number or by its id. */
export interface SaleLink {
  readonly number?: string;
  readonly saleId?: string;
}

export interface IpcMap {
  /** The first screen of the page is there. */
  readonly "page:there": { readonly args: []; readonly result: undefined };
  readonly "desktop:settings": { readonly args: []; readonly result: DesktopSettings };
  /** Refused unless an owner is signed in. */
  readonly "desktop:change": { readonly args: [DesktopChange]; readonly result: DesktopSettings };
  /** Ends kiosk mode by the PIN of the owner who is signed in, and quits the program where that was asked for. */
  readonly "kiosk:end": { readonly args: [KioskEnd]; readonly result: KioskEnded };
  /** The link that waits for the page, once. */
  readonly "link:take": { readonly args: []; readonly result: SaleLink | null };
  readonly "update:state": { readonly args: []; readonly result: UpdateState };
  readonly "printer:list": { readonly args: []; readonly result: readonly DevicePrinter[] };
  readonly "receipt:print": { readonly args: [PrintOptions]; readonly result: PrintResult };
}
export type Channel = keyof IpcMap;

/** How kiosk mode is to end. */
export interface KioskEnd {
  readonly pin: string;
  readonly quits: boolean;
}

/** The settings that are in force then, or the gateway's refusal of the PIN. */
export type KioskEnded =
  | { readonly settings: DesktopSettings }
  | { readonly refusal: { readonly status: number; readonly body: PinRefusal } };

interface PinRefusal {
  readonly errorCode: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** `window.tillgate`: there in the desktop app, absent in a browser. */
export interface DesktopShell {
  readonly version: string;
  /** Says that the first screen is there: a new version works from then on. */
  isThere(): Promise<void>;
  /** The printers of this computer. */
  printers(): Promise<readonly DevicePrinter[]>;
  /** Prints the page as it is, without asking. A failure is an answer, never an exception. */
  print(options: PrintOptions): Promise<PrintResult>;
  updateState(): Promise<UpdateState>;
  desktopSettings(): Promise<DesktopSettings>;
  changeDesktop(change: DesktopChange): Promise<DesktopSettings>;
  /** Ends kiosk mode by the owner's PIN. A refusal of the PIN is an answer. */
  endKiosk(end: KioskEnd): Promise<KioskEnded>;
  /** Calls back when the key that quits was pressed in kiosk mode while an owner is signed in. */
  onQuitAsked(ask: () => void): () => void;
  /** Calls back now and whenever a link comes; the page opens the sale, or asks for a sign-in first. */
  onLink(open: (link: SaleLink) => void): () => void;
}

declare global {
  interface Window {
    readonly tillgate?: DesktopShell;
  }
}

/** How the version reaches the sandboxed preload, which cannot ask the app for it. */
export const VERSION_ARGUMENT = "--tillgate-version=";

/** Asks the page for the PIN of the owner, to end kiosk mode and quit. */
export const QUIT_ASKED = "kiosk:quit-asked";

/** Tells the page that a link waits for it. */
export const LINK_ARRIVED = "link:arrived";
