import type { Actor } from "../../../contract/pos/actor.ts";
import type { DrawerCause, PrintInput } from "../../../contract/pos/printers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { findPrinter } from "./printer-store.ts";

const ESC = 0x1b;
const FS = 0x1c;
const GS = 0x1d;
const DLE = 0x10;
const DC4 = 0x14;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Start of each print: reset, single-byte characters, default font. */
const BEGINNING = [ESC, ascii("@"), FS, ascii("."), ESC, ascii("M"), 0];

/** Every other command of the till, with the allowed values of its only argument. */
const COMMANDS: ReadonlyMap<number, readonly number[]> = new Map([
  // Code pages 437 and 858.
  [pair(ESC, "t"), [0, 19]],
  [pair(ESC, "a"), [0, 1, 2]],
  [pair(ESC, "E"), [0, 1]],
  [pair(GS, "!"), [0x00, 0x11]],
  [pair(GS, "V"), [0, 1]],
]);

/** Length of `GS v 0 m xL xH yL yH`, which precedes the dots. */
const PICTURE_HEAD = 8;
/** The widest print head has 576 dots, eight per byte. */
const MOST_ROW_BYTES = 72;

/**
 * Returns whether bytes for a receipt printer (ESC/POS) may open its drawer. Only complete commands
 * of the till are known to be safe: any other command may be a pulse, and an incomplete command may
 * become a pulse with the next print (docs/decisions/0015).
 */
export function opensDrawer(bytes: Uint8Array): boolean {
  return !commandsOf(bytes).isKnown || actsAtOnce(bytes);
}

/**
 * Splits a print between commands, because a printer may execute the bytes after a status query as
 * a new command. A longer command stays in one piece. A print with unknown commands is not split.
 */
export function splitCommands(bytes: Buffer, pieceBytes: number): Buffer[] {
  const { isKnown, ends } = commandsOf(bytes);
  if (!isKnown) return [bytes];
  const pieces: Buffer[] = [];
  let start = 0;
  for (const [at, end] of ends.entries()) {
    const next = ends[at + 1];
    if (next !== undefined && next - start <= pieceBytes) continue;
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}

function commandsOf(bytes: Uint8Array): { isKnown: boolean; ends: number[] } {
  const ends = [BEGINNING.length];
  if (BEGINNING.some((byte, at) => bytes[at] !== byte)) return { isKnown: false, ends };
  // In the middle of a line, some printers accept no image and execute its dots as commands.
  let isLineEmpty = true;
  for (let at = BEGINNING.length; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = isLetter(byte)
      ? 1
      : lengthOf(bytes.subarray(at, at + PICTURE_HEAD), isLineEmpty);
    if (length === undefined || at + length > bytes.length) return { isKnown: false, ends };
    if (isLetter(byte)) isLineEmpty = false;
    else if (byte === LF) isLineEmpty = true;
    at += length;
    if (isLineEmpty || at === bytes.length) ends.push(at);
  }
  return { isKnown: true, ends };
}

function isLetter(byte: number): boolean {
  return byte >= SPACE;
}

function lengthOf(head: Uint8Array, isLineEmpty: boolean): number | undefined {
  const [first = 0, second = 0, third = 0, mode, width = 0, xHigh, height = 0, yHigh] = head;
  if (first === LF || first === CR) return 1;
  const name = pair(first, second);
  if (COMMANDS.get(name)?.includes(third)) return 3;
  if (name !== pair(GS, "v") || third !== ascii("0") || !isLineEmpty) return undefined;
  if (mode !== 0 || xHigh !== 0 || yHigh !== 0) return undefined;
  if (width < 1 || width > MOST_ROW_BYTES || height < 1) return undefined;
  return PICTURE_HEAD + width * height;
}

/**
 * Returns whether the bytes contain `DLE DC4` with 1 (pulse) or 8 (discards an image, so that its
 * dots become commands). Printers execute these sequences even within the dots of an image.
 */
function actsAtOnce(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(DLE); at >= 0; at = bytes.indexOf(DLE, at + 1)) {
    if (bytes[at + 1] !== DC4) continue;
    const [what, pin = 0, time = 0] = bytes.subarray(at + 2, at + 5);
    if (what === 1 && pin <= 1 && time >= 1 && time <= 8) return true;
    if (what === 8 && pin === 1 && time === 3) return true;
  }
  return false;
}

function pair(first: number, second: string | number): number {
  return 256 * first + (typeof second === "string" ? ascii(second) : second);
}

function ascii(letter: string): number {
  return letter.charCodeAt(0);
}

export interface CashMovement {
  staffId: string;
  at: number;
}

/** Returns undefined if the booking moves no cash. */
export type FindCashMovement = (scope: Scope, id: string) => Promise<CashMovement | undefined>;

interface DrawerGuardDeps extends Pick<Base, "transactor" | "memory" | "clock"> {
  cashMovements: Record<Exclude<DrawerCause["reason"], "TEST">, FindCashMovement>;
}

/** A booking opens the drawer only within this time. Openings are stored for the same time. */
const OPENS_FOR_MS = 10 * MINUTE;

const OPENINGS = "drawer-openings";
interface Opening {
  print: string;
}

/**
 * Each opening of a drawer needs a recorded sale, customer refund or movement. Each booking opens
 * the drawer once (rules#drawer-opens-for-a-booking).
 */
export class DrawerGuard {
  readonly #deps: DrawerGuardDeps;

  constructor(deps: DrawerGuardDeps) {
    this.#deps = deps;
  }

  /**
   * Admits an opening of the drawer. A repeated print after a failure is the same opening, if it
   * uses the same printer.
   * @throws Problem FORBIDDEN naming the permission, or APPROVAL_REQUIRED for a test without
   * permission
   */
  async admit(user: Actor, printerId: string, { printId, drawer }: PrintInput): Promise<void> {
    if (user.training) throw notBooked("stays shut in training");
    if (!drawer) throw notBooked("is required by what opens the drawer, or may");
    if (drawer.reason === "TEST") return this.#admitTest(user, drawer.id);
    const now = this.#deps.clock.now();
    const action = await this.#deps.cashMovements[drawer.reason](user, drawer.id);
    if (action?.staffId !== user.staffId) throw notBooked("is no cash of yours");
    if (now - action.at >= OPENS_FOR_MS) throw notBooked("is too long ago");
    const key = `${user.accountId}/${user.environment}/${drawer.reason}/${drawer.id}`;
    const print = `${printerId} ${printId}`;
    await this.#deps.memory.change<Opening>(
      OPENINGS,
      key,
      (used) => {
        if (used && used.print !== print) throw notBooked("has opened the drawer already");
        return used ?? { print };
      },
      OPENS_FOR_MS,
    );
  }

  /** A test has no booking: it requires the permission to open the drawer, and is recorded. */
  #admitTest(user: Actor, printerId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    return transactor.transact(user.accountId, async (tx) => {
      const at = clock.now();
      const needs = [{ right: "noSale" as const }];
      const request = { printerId };
      const name = (await findPrinter(tx, user.accountId, printerId))?.name ?? "";
      await requireRights(tx, user, {
        needs,
        subject: printerId,
        request,
        approvalId: undefined,
        facts: { printer: name },
        at,
      });
      const { accountId, staffId, environment } = user;
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "printer.drawer-test",
        subject: printerId,
        detail: { printer: name, environment },
        at,
      });
    });
  }
}

function notBooked(why: string): Problem {
  return new Problem(
    "FORBIDDEN",
    "A drawer opens for a sale in cash, or for what was booked at the shift.",
    { right: "noSale", drawer: why },
  );
}
