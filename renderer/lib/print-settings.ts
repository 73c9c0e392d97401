import { useSyncExternalStore } from "react";
import type { PaperWidthMm } from "../../electron/ipc/ipc-map.ts";
import { Listeners } from "./listeners.ts";

export const PAPERS = ["58mm", "80mm", "A4"] as const;
export type Paper = (typeof PAPERS)[number];

export const PRINT_RULES = ["always", "ask", "never"] as const;
export type PrintRule = (typeof PRINT_RULES)[number];

export interface PrintSettings {
  readonly paper: Paper;
  readonly rule: PrintRule;
  /** A printer of the shop's network; undefined means the system's printing. */
  readonly printerId: string | undefined;
  /** System name of the computer's printer in the desktop app; undefined is the default printer. */
  readonly deviceName: string | undefined;
  /** True if the printer's driver determines the page size. */
  readonly driverPage: boolean;
}

const KEYS = {
  paper: "tillgate.paper-width",
  rule: "tillgate.print-rule",
  printerId: "tillgate.printer",
  deviceName: "tillgate.device-printer",
  driverPage: "tillgate.driver-page",
} as const;

const DEFAULTS: PrintSettings = {
  paper: "80mm",
  rule: "ask",
  printerId: undefined,
  deviceName: undefined,
  driverPage: false,
};

const listeners = new Listeners();
/** Cached object, because React needs a stable reference. */
let known = DEFAULTS;

/**
 * Reads the stored settings on each call: another tab may have changed them while no component
 * listened.
 */
export function getPrintSettings(): PrintSettings {
  const settings = readSettings();
  const names = Object.keys(KEYS) as (keyof PrintSettings)[];
  if (names.some((name) => settings[name] !== known[name])) {
    known = settings;
  }
  return known;
}

function readSettings(): PrintSettings {
  try {
    const paper = PAPERS.find((one) => one === localStorage.getItem(KEYS.paper));
    const rule = PRINT_RULES.find((one) => one === localStorage.getItem(KEYS.rule));
    return {
      paper: paper ?? DEFAULTS.paper,
      rule: rule ?? DEFAULTS.rule,
      printerId: localStorage.getItem(KEYS.printerId) ?? undefined,
      deviceName: localStorage.getItem(KEYS.deviceName) ?? undefined,
      driverPage: localStorage.getItem(KEYS.driverPage) === "yes",
    };
  } catch {
    return DEFAULTS;
  }
}

export function changePrintSettings(change: Partial<PrintSettings>): void {
  const settings = { ...getPrintSettings(), ...change };
  try {
    localStorage.setItem(KEYS.paper, settings.paper);
    localStorage.setItem(KEYS.rule, settings.rule);
    store(KEYS.printerId, settings.printerId);
    store(KEYS.deviceName, settings.deviceName);
    store(KEYS.driverPage, settings.driverPage ? "yes" : undefined);
  } catch {
    return;
  }
  listeners.notify();
}

function store(key: string, value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}

export function usePrintSettings(): PrintSettings {
  return useSyncExternalStore(subscribe, getPrintSettings);
}

function subscribe(listener: () => void): () => void {
  if (!listeners.hasAny()) window.addEventListener("storage", listeners.notify);
  const unsubscribe = listeners.subscribe(listener);
  return () => {
    unsubscribe();
    if (!listeners.hasAny()) window.removeEventListener("storage", listeners.notify);
  };
}

const WIDTHS: Readonly<Record<Paper, PaperWidthMm>> = { "58mm": 58, "80mm": 80, A4: 210 };

export function widthMm(paper: Paper): PaperWidthMm {
  return WIDTHS[paper];
}
