import { lookup } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { PrintTrouble } from "../../../contract/pos/printers.ts";
import type { SharedMemory } from "../../../db/shared-memory.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { guardedLookup, OutgoingError, whyRefused } from "../../../lib/guarded-request.ts";
import { withTimeout } from "../../../lib/with-timeout.ts";
import { splitCommands } from "./drawer-guard.ts";

/**
 * Real-time requests, which printers answer even during a print: the reason for being offline (2),
 * and the paper sensor (4).
 */
const ASK_STATUS = Buffer.from([0x10, 0x04, 0x02, 0x10, 0x04, 0x04]);
const STATUS_ANSWERS = 2;

/** Bits 0, 1, 4 and 7 are fixed in every status byte. */
const FIXED_BITS = 0b1001_0011;
const FIXED_VALUE = 0b0001_0010;

const OFFLINE_COVER = 0b0000_0100;
const OFFLINE_PAPER = 0b0010_0000;
const OFFLINE_FAULT = 0b0100_0000;
const PAPER_END = 0b0110_0000;

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
  signal: AbortSignal;
}

const CONNECT_WITHIN_MS = 4 * SECOND;
/** Maximum wait for a connection: most printers accept only one connection at a time. */
const BUSY_TIMEOUT_MS = 30 * SECOND;
const RETRY_INTERVAL_MS = SECOND / 2;
/** Short, because many print servers never answer. */
const FIRST_STATUS_TIMEOUT_MS = SECOND;
/** Maximum time without progress: a printer accepts nothing while its buffer is full. */
const PROGRESS_TIMEOUT_MS = 20 * SECOND;
const PIECE_BYTES = 32 * 1024;

/**
 * Receipts with PINs in clear text are sent only to private addresses, even if a name resolves to
 * another address.
 */
export const PRINTER_ADDRESSES = { allowPrivate: true, privateOnly: true };

interface Surroundings {
  readonly clock: Clock;
  /** Called before the first byte. Nothing is sent if the call throws. */
  readonly begin: () => Promise<void>;
  readonly resolve?: LookupFunction;
}

/**
 * Sends raw bytes (as on port 9100), and queries the printer's status before, during and after the
 * print. After a failure, the printer gets no further byte.
 * @returns whether the printer reported, after the last byte, that it has no error
 * @throws PrinterError
 */
export async function sendToPrinter(
  { host, port, signal }: Destination,
  bytes: Buffer,
  { clock, begin, resolve = lookup }: Surroundings,
): Promise<boolean> {
  if (isIP(host) !== 0 && whyRefused(host, PRINTER_ADDRESSES)) {
    throw new PrinterError("ADDRESS_REFUSED");
  }
  const until = clock.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    const socket = connect({ host, port, lookup: guardedLookup(PRINTER_ADDRESSES, resolve) });
    const line = new PrinterLine(socket, clock);
    const giveUp = () => line.reset();
    signal.addEventListener("abort", giveUp, { once: true });
    let hasBegun = false;
    try {
      await line.within(CONNECT_WITHIN_MS, "OFF", line.connected);
      const answers = await line.greet();
      await begin();
      hasBegun = true;
      const confirmed = await line.print(bytes, answers);
      line.close();
      return confirmed;
    } catch (error) {
      line.reset();
      const isBusy = error instanceof PrinterError && error.trouble === "BUSY";
      if (hasBegun || !isBusy || signal.aborted || clock.now() >= until) throw error;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
    await sleep(clock, RETRY_INTERVAL_MS, signal);
  }
}

class PrinterLine {
  readonly connected: Promise<void>;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #broken: Promise<never>;
  /** Whether the printer closed the connection normally, after reading all bytes. */
  #isEnded = false;
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
        else if (isConnected) reject(new PrinterError("NO_ANSWER"));
        else reject(new PrinterError(codeOf(error) === "ECONNREFUSED" ? "BUSY" : "OFF"));
      });
      socket.once("end", () => {
        this.#isEnded = true;
      });
      socket.once("close", () => reject(new PrinterError("NO_ANSWER")));
    });
    this.#broken.catch(() => {});
    socket.on("data", (chunk) => {
      this.#answers.push(...chunk.filter(isStatusByte));
      this.#onAnswer?.();
    });
  }

  within<T>(timeout_ms: number, trouble: PrintTrouble, work: Promise<T>): Promise<T> {
    const late = new PrinterError(trouble);
    return withTimeout(this.#clock, { timeout_ms, late }, () => Promise.race([work, this.#broken]));
  }

  /**
   * Queries the status of a printer that may never answer.
   * @returns whether the printer answered without an error
   * @throws PrinterError BUSY if the printer closes the connection, because it prints for another
   * program
   */
  async greet(): Promise<boolean> {
    try {
      return await this.queryStatus(FIRST_STATUS_TIMEOUT_MS);
    } catch (error) {
      const isClosed = error instanceof PrinterError && error.trouble === "NO_ANSWER";
      throw isClosed ? new PrinterError("BUSY") : error;
    }
  }

  /**
   * @param silence error to throw if the printer does not answer; undefined for no error
   * @returns whether the printer answered without an error
   * @throws PrinterError with the printer's error
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

  /**
   * Sends the bytes in pieces. A printer that answers is queried after each piece. A printer that
   * never answers, like many print servers, is trusted. Some printers close the connection after
   * the cut without an answer.
   * @returns whether the printer reported, after the last piece, that it has no error
   * @throws PrinterError
   */
  async print(bytes: Buffer, answers: boolean): Promise<boolean> {
    let confirmed = false;
    const pieces = splitCommands(bytes, PIECE_BYTES);
    for (const [at, piece] of pieces.entries()) {
      await this.within(PROGRESS_TIMEOUT_MS, "NO_ANSWER", this.#write(piece));
      if (!answers) continue;
      const isLast = at === pieces.length - 1;
      confirmed = await this.#unlessEnded(isLast, () =>
        // A printer that stops answering counts as jammed.
        this.queryStatus(PROGRESS_TIMEOUT_MS, "NO_ANSWER"),
      );
    }
    if (!answers) {
      await this.#unlessEnded(true, () =>
        this.within(PROGRESS_TIMEOUT_MS, "NO_ANSWER", this.#end()),
      );
    }
    return confirmed;
  }

  /** @returns false if the printer has read everything and closed the connection */
  async #unlessEnded(isAll: boolean, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      const isSilent = error instanceof PrinterError && error.trouble === "NO_ANSWER";
      if (isAll && isSilent && this.#isEnded && !this.#socket.errored) return false;
      throw error;
    }
  }

  /** Resolves when the operating system has accepted all bytes. */
  #write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, (error) => {
        if (!error) resolve();
      });
    });
  }

  #end(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#socket.end(() => resolve(false));
    });
  }

  /** Closes the connection. The operating system still delivers sent data. */
  close(): void {
    this.#socket.on("error", () => {});
    this.#socket.destroy();
  }

  /** Closes the connection, and discards data that the printer has not read. */
  reset(): void {
    this.#socket.on("error", () => {});
    // A reset would first wait until the connection is established.
    if (this.#socket.connecting) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }
}

function codeOf(error: Error): unknown {
  return "code" in error ? error.code : undefined;
}

function isStatusByte(byte: number): boolean {
  return (byte & FIXED_BITS) === FIXED_VALUE;
}

/**
 * Reads an answer to `DLE EOT n` (ESC/POS).
 * @param answer the byte with the reason for being offline, and the byte of the paper sensor
 */
function readStatus(answer: readonly number[]): PrintTrouble | undefined {
  const [offline = FIXED_VALUE, paper = FIXED_VALUE] = answer;
  if ((paper & PAPER_END) !== 0 || (offline & OFFLINE_PAPER) !== 0) return "OUT_OF_PAPER";
  if ((offline & OFFLINE_COVER) !== 0) return "COVER_OPEN";
  return (offline & OFFLINE_FAULT) === 0 ? undefined : "FAULT";
}

const TURNS = "printer-turns";
/** After this time without a renewal, the printer of a dead process is free. */
const HELD_MS = 30 * SECOND;
const RENEWED_MS = 10 * SECOND;
const ASKED_EVERY_MS = 500;

interface Turn {
  readonly printId: string;
  /** Differs at each renewal: an equal value would not be stored. */
  readonly renewedAt: number;
}

/**
 * Lets only one of several processes print at an address. Most printers accept one connection at a
 * time.
 */
export class PrinterTurns {
  readonly #memory: SharedMemory;
  readonly #clock: Clock;

  constructor(memory: SharedMemory, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  /**
   * Waits until no other process prints at this address.
   * @throws the reason of the signal if it aborts first
   */
  async take<T>(
    address: string,
    { printId, signal }: { printId: string; signal: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> {
    // A single process already has one queue per address.
    if (!this.#memory.isShared) return work();
    while (!(await this.#hold(address, printId))) {
      await sleep(this.#clock, ASKED_EVERY_MS, signal);
    }
    const endRenewal = this.#renew(address, printId);
    try {
      return await work();
    } finally {
      await endRenewal();
      const drop = (known: Turn | undefined) => (known?.printId === printId ? undefined : known);
      await this.#memory.change<Turn>(TURNS, address, drop, HELD_MS).catch(() => {});
    }
  }

  async #hold(address: string, printId: string): Promise<boolean> {
    const renewedAt = this.#clock.now();
    const step = (known: Turn | undefined) =>
      known && known.printId !== printId ? known : { printId, renewedAt };
    const turn = await this.#memory.change<Turn>(TURNS, address, step, HELD_MS);
    return turn?.printId === printId;
  }

  /**
   * @returns a function that ends the renewals. The function's promise resolves after a renewal in
   * progress, which could otherwise take the printer again.
   */
  #renew(address: string, printId: string): () => Promise<unknown> {
    let cancel = () => {};
    let isOver = false;
    let last: Promise<unknown> = Promise.resolve();
    const wait = () => {
      if (isOver) return;
      cancel = this.#clock.wakeAt(this.#clock.now() + RENEWED_MS, () => {
        last = this.#hold(address, printId).then(wait, wait);
      });
    };
    wait();
    return () => {
      isOver = true;
      cancel();
      return last;
    };
  }
}

/** @throws the reason of the signal if it aborts first */
async function sleep(clock: Clock, duration_ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = clock.wakeAt(clock.now() + duration_ms, resolve);
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await promise;
  } finally {
    cancel();
    signal.removeEventListener("abort", giveUp);
  }
}
