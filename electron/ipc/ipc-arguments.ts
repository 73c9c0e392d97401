import type { Channel, DesktopChange, IpcMap, PrintOptions } from "./ipc-map.ts";

/** The longest roll page that is accepted: three metres hold more lines than a sale can have. */
const MAX_HEIGHT_MM = 3000;

/** The message for invalid input from a page; repeats nothing of it. */
export class IpcRefusedError extends Error {
  override readonly name = "IpcRefusedError";
}

type Checks = { readonly [C in Channel]: (args: readonly unknown[]) => IpcMap[C]["args"] };

/** Turns what a page sent into the arguments of the channel, or throws IpcRefusedError. */
export const argumentChecks: Checks = {
  "page:there": none,
  "update:state": none,
  "desktop:settings": none,
  "desktop:change": (args) => [checkDesktopChange(only(args))],
  "link:take": none,
  "receipt:print": (args) => [checkPrintOptions(only(args))],
};

function none(args: readonly unknown[]): [] {
  if (args.length > 0) {
    throw new IpcRefusedError("No argument is expected.");
  }
  return [];
}

function checkDesktopChange(value: unknown): DesktopChange {
  if (typeof value !== "object" || value === null) {
    throw new IpcRefusedError("Settings are expected.");
  }
  const known = new Set(["startsAtLogin", "kiosk", "tray"]);
  for (const [name, wish] of Object.entries(value)) {
    if (!known.has(name) || typeof wish !== "boolean") {
      throw new IpcRefusedError("Settings are startsAtLogin, kiosk and tray: true or false.");
    }
  }
  return { ...value };
}

function only(args: readonly unknown[]): unknown {
  if (args.length !== 1) {
    throw new IpcRefusedError("One argument is expected.");
  }
  return args[0];
}

function checkPrintOptions(value: unknown): PrintOptions {
  if (typeof value !== "object" || value === null) {
    throw new IpcRefusedError("Print options are expected.");
  }
  const { paperWidthMm, paperHeightMm, ...rest } = value as Record<string, unknown>;
  if (Object.keys(rest).length > 0) {
    throw new IpcRefusedError("Print options have a paper width and a paper height only.");
  }
  if (paperWidthMm !== 58 && paperWidthMm !== 80 && paperWidthMm !== 210) {
    throw new IpcRefusedError("The paper width is 58, 80 or 210 millimetres.");
  }
  if (
    typeof paperHeightMm !== "number" ||
    !Number.isInteger(paperHeightMm) ||
    paperHeightMm < 1 ||
    paperHeightMm > MAX_HEIGHT_MM
  ) {
    throw new IpcRefusedError(`The paper height is a whole number of 1 to ${MAX_HEIGHT_MM}.`);
  }
  return { paperWidthMm, paperHeightMm };
}
