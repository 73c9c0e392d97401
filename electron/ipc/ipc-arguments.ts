import type { Channel, DesktopChange, IpcMap, KioskEnd, PrintOptions } from "./ipc-map.ts";

/** Maximum length of a page on roll paper. No driver supports more than three metres. */
const MAX_HEIGHT_MM = 3000;
const MAX_NAME_LENGTH = 500;

/** Reports invalid input from a page. The message does not contain the input. */
export class IpcRefusedError extends Error {
  override readonly name = "IpcRefusedError";
}

type Checks = { readonly [C in Channel]: (args: readonly unknown[]) => IpcMap[C]["args"] };

/** @throws IpcRefusedError */
export const argumentChecks: Checks = {
  "page:there": none,
  "update:state": none,
  "desktop:settings": none,
  "desktop:change": (args) => [checkDesktopChange(only(args))],
  "kiosk:end": (args) => [checkKioskEnd(only(args))],
  "link:take": none,
  "printer:list": none,
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

function checkKioskEnd(value: unknown): KioskEnd {
  const { pin, quits } = (value ?? {}) as Record<string, unknown>;
  if (typeof pin !== "string" || !/^[0-9]{4,8}$/.test(pin) || typeof quits !== "boolean") {
    throw new IpcRefusedError("A PIN is expected, and whether the program quits.");
  }
  return { pin, quits };
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
  const { paperWidthMm, paperHeightMm, deviceName, driverPage, ...rest } = value as Record<
    string,
    unknown
  >;
  if (Object.keys(rest).length > 0) {
    throw new IpcRefusedError(
      "Print options are a paper's width and height, a printer and a page.",
    );
  }
  if (deviceName !== undefined && !isName(deviceName)) {
    throw new IpcRefusedError("A printer has a name.");
  }
  if (driverPage !== undefined && typeof driverPage !== "boolean") {
    throw new IpcRefusedError("The driver's page is true or false.");
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
  return {
    paperWidthMm,
    paperHeightMm,
    ...(deviceName !== undefined && { deviceName }),
    ...(driverPage !== undefined && { driverPage }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME_LENGTH;
}
