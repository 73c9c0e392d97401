import { lookup } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { PrintTrouble } from "../../contract/pos/printers.ts";
import { whyRefused } from "../../lib/address-guard.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import { guardedLookup, OutgoingError } from "../../lib/guarded-request.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { ASK_STATUS, isStatusByte, readStatus, STATUS_ANSWERS } from "./printer-status.ts";

/** A print that failed, or whose outcome is unknown. */
export class PrinterError extends Error {
  readonly trouble: PrintTrouble;

  constructor(trouble: PrintTrouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

interface Destination {
  host: string;
  port: number;
  /** Ends it at once: the gateway stops. */
  signal: AbortSignal;
}

const CONNECT_WITHIN_MS = 4 * SECOND;
/** A printer that can answer does so at once; many print servers never do. */
const FIRST_STATUS_TIMEOUT_MS = SECOND;
/** Printing itself: a long receipt takes some seconds, and the printer takes no more meanwhile. */
const PRINT_WITHIN_MS = 20 * SECOND;

/**
 * Printers stand in the shop: receipts with PINs in clear go to private addresses and to no other,
 * whatever a name turns out to stand for.
 */
export const PRINTER_ADDRESSES = { allowPrivate: true, privateOnly: true };

/**
 * Sends bytes to a printer (raw, as port 9100 takes them) and queries its status before and after.
 * Nothing is sent to a printer that reports that it cannot print.
 * @param resolve how names become addresses; a test has its own
 * @returns whether the printer itself confirmed that it is well after all of it
 * @throws PrinterError
 */
export async function sendToPrinter(
  { host, port, signal }: Destination,
  bytes: Buffer,
  clock: Clock,
  resolve: LookupFunction = lookup,
): Promise<boolean> {
  if (isIP(host) !== 0 && whyRefused(host, PRINTER_ADDRESSES)) {
    throw new PrinterError("ADDRESS_REFUSED");
  }
  const socket = connect({ host, port, lookup: guardedLookup(PRINTER_ADDRESSES, resolve), signal });
  const line = new PrinterLine(socket, clock);
  try {
    await line.within(CONNECT_WITHIN_MS, "OFF", line.connected);
    const before = await line.queryStatus(FIRST_STATUS_TIMEOUT_MS);
    await line.within(PRINT_WITHIN_MS, "NO_ANSWER", line.write(bytes));
    // A printer that answered before and no longer does is jammed, or busy for too long.
    if (before) return await line.queryStatus(PRINT_WITHIN_MS, "NO_ANSWER");
    await line.within(PRINT_WITHIN_MS, "NO_ANSWER", line.end());
    return false;
  } finally {
    line.close();
  }
}

/** One connection: its answers, and what ended it. */
class PrinterLine {
  readonly connected: Promise<void>;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #broken: Promise<never>;
  #answers: number[] = [];
  #onAnswer: (() => void) | undefined;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    this.connected = new Promise((resolve) => {
      socket.once("connect", resolve);
    });
    this.#broken = new Promise((_, reject) => {
      let isConnected = false;
      socket.once("connect", () => {
        isConnected = true;
      });
      socket.once("error", (error) => {
        const isRefused = error instanceof OutgoingError && error.kind === "address";
        if (isRefused) reject(new PrinterError("ADDRESS_REFUSED"));
        else reject(new PrinterError(isConnected ? "NO_ANSWER" : "OFF"));
      });
      socket.once("close", () => reject(new PrinterError("NO_ANSWER")));
    });
    this.#broken.catch(() => {});
    socket.on("data", (chunk) => {
      this.#answers.push(...chunk.filter(isStatusByte));
      this.#onAnswer?.();
    });
  }

  /** The work, unless the line breaks or it takes too long. */
  within<T>(timeout_ms: number, trouble: PrintTrouble, work: Promise<T>): Promise<T> {
    const late = new PrinterError(trouble);
    return withTimeout(this.#clock, { timeout_ms, late }, () => Promise.race([work, this.#broken]));
  }

  /**
   * Queries the printer's status.
   * @param silence what it means when there is no answer; without it, that is no trouble
   * @returns whether it answered, and is well
   * @throws PrinterError with what is wrong
   */
  async queryStatus(limit_ms: number, silence?: PrintTrouble): Promise<boolean> {
    this.#answers = [];
    const answered = new Promise<true>((resolve) => {
      this.#onAnswer = () => {
        if (this.#answers.length >= STATUS_ANSWERS) resolve(true);
      };
    });
    this.#socket.write(ASK_STATUS);
    const isAnswered = await this.within(limit_ms, "NO_ANSWER", answered).catch((error) => {
      if (silence === undefined && !this.#socket.destroyed) return false;
      throw error;
    });
    this.#onAnswer = undefined;
    const trouble = isAnswered ? readStatus(this.#answers) : undefined;
    if (trouble) throw new PrinterError(trouble);
    return isAnswered;
  }

  /** Resolves when the system has taken all of it. */
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, (error) => {
        if (!error) resolve();
      });
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.end(resolve);
    });
  }

  close(): void {
    this.#socket.on("error", () => {});
    this.#socket.destroy();
  }
}
