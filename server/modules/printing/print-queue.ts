import type { Print, Printer } from "../../contract/pos/printers.ts";
import { Problem } from "../../contract/problem.ts";
import { type Clock, MINUTE, toTimestamp } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { PrinterError, sendToPrinter } from "./printer-line.ts";

const KEPT_MS = 10 * MINUTE;
const MOST_WAITING = 20;

interface Entry extends Omit<Print, "askedAt"> {
  askedAt: number;
}

/** Everything a print goes through once its bytes are here; a test has its own printer. */
type SendToPrinter = typeof sendToPrinter;

/**
 * Prints, one after the other for each printer, without making callers wait. Prints are kept in memory
 * only, on purpose (rules#receipt-print-in-memory): the sale is in the database and prints again, as a
 * copy, whatever becomes of the paper; its bytes hold PINs and activation codes, which must not lie on
 * a disk until a printer is switched on; and a receipt that comes out by itself after a restart has no
 * customer waiting for it.
 */
export class PrintQueue {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #send: SendToPrinter;
  readonly #stop = new AbortController();
  readonly #entries = new Map<string, Entry>();
  readonly #lines = new Map<string, { last: Promise<void>; waiting: number }>();

  constructor(parts: { clock: Clock; log: Log; send?: SendToPrinter }) {
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#send = parts.send ?? sendToPrinter;
  }

  /**
   * Takes a print up and answers at once with how it stands. One that is known is not printed a
   * second time, unless it failed.
   * @throws Problem RATE_LIMITED while too many wait for this printer
   */
  submit(printer: Printer, printId: string, bytes: Buffer): Print {
    this.#forget();
    const known = this.find(printer.printerId, printId);
    if (known && known.state !== "FAILED") return known;
    const line = this.#lines.get(printer.printerId) ?? { last: Promise.resolve(), waiting: 0 };
    if (line.waiting >= MOST_WAITING) {
      throw new Problem("RATE_LIMITED", "Too many receipts wait for this printer.");
    }
    const entry: Entry = {
      printId,
      printerId: printer.printerId,
      state: "WAITING",
      confirmed: false,
      askedAt: this.#clock.now(),
    };
    this.#entries.set(keyOf(entry), entry);
    line.waiting += 1;
    line.last = line.last
      .then(() => this.#print(printer, entry, bytes))
      .finally(() => {
        line.waiting -= 1;
        if (line.waiting === 0) this.#lines.delete(printer.printerId);
      });
    this.#lines.set(printer.printerId, line);
    return viewOf(entry);
  }

  find(printerId: string, printId: string): Print | undefined {
    const entry = this.#entries.get(keyOf({ printerId, printId }));
    return entry && viewOf(entry);
  }

  /** Gives up what is printing or waiting. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([...this.#lines.values()].map(({ last }) => last));
  }

  async #print(printer: Printer, entry: Entry, bytes: Buffer): Promise<void> {
    const { signal } = this.#stop;
    try {
      if (signal.aborted) throw new PrinterError("OFF");
      entry.confirmed = await this.#send({ ...printer, signal }, bytes, this.#clock);
      entry.state = "PRINTED";
    } catch (error) {
      entry.state = "FAILED";
      entry.trouble = error instanceof PrinterError ? error.trouble : "FAULT";
      const { printerId, printId, trouble } = entry;
      this.#log.warn({ printerId, printId, trouble, err: error }, "a receipt was not printed");
    }
  }

  #forget(): void {
    const before = this.#clock.now() - KEPT_MS;
    for (const [key, { state, askedAt }] of this.#entries) {
      if (state !== "WAITING" && askedAt < before) this.#entries.delete(key);
    }
  }
}

function keyOf({ printerId, printId }: Pick<Print, "printerId" | "printId">): string {
  return `${printerId}/${printId}`;
}

function viewOf({ askedAt, ...entry }: Entry): Print {
  return { ...entry, askedAt: toTimestamp(askedAt) };
}
