import type { Print, Printer } from "../../../contract/pos/printers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { SharedMemory } from "../../../db/shared-memory.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, HOUR, MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { beginPrint, markPrinted } from "../print-records/index.ts";
import { PrinterError, PrinterTurns, sendToPrinter } from "./printer-line.ts";

const PRINTS = "prints";
const KEPT_MS = 10 * MINUTE;
const MOST_WAITING = 20;
const LONGEST_WAIT_MS = HOUR;
/**
 * A process holds a print, and extends its hold while it prints. After the hold expires, the till
 * requests the print again.
 */
const HELD_MS = 30 * SECOND;
const RENEWED_MS = 10 * SECOND;

interface Entry extends Omit<Print, "askedAt"> {
  askedAt: number;
}

interface Job {
  readonly accountId: string;
  readonly printId: string;
  readonly bytes: Buffer;
  /** A recorded receipt or Z report may start only once. */
  readonly isRecorded: boolean;
}

type SendToPrinter = typeof sendToPrinter;

/**
 * Prints the jobs of each printer one after another, without blocking callers. The bytes of a print
 * are only in memory (rules#receipt-print-in-memory): they contain PINs and activation codes, which
 * must not be on a disk. The database stores whether a print has started
 * (rules#receipt-print-outcome). Several processes share the state of a print, but not its bytes.
 */
export class PrintQueue {
  readonly #memory: SharedMemory;
  readonly #transactor: Transactor;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #send: SendToPrinter;
  readonly #turns: PrinterTurns;
  readonly #stop = new AbortController();
  readonly #lines = new Map<string, { last: Promise<void>; waiting: number }>();

  constructor(parts: {
    memory: SharedMemory;
    transactor: Transactor;
    clock: Clock;
    log: Log;
    send?: SendToPrinter;
  }) {
    this.#memory = parts.memory;
    this.#transactor = parts.transactor;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#send = parts.send ?? sendToPrinter;
    this.#turns = new PrinterTurns(parts.memory, parts.clock);
  }

  /**
   * Queues a print. A known print is printed again only if it failed before a byte was sent.
   * @throws Problem RATE_LIMITED if too many prints wait for the printer
   */
  async submit(printer: Printer, job: Job): Promise<Print> {
    const entry: Entry = {
      printId: job.printId,
      printerId: printer.printerId,
      state: "WAITING",
      begun: false,
      confirmed: false,
      askedAt: this.#clock.now(),
    };
    // Queues by address, because a printer may have been added twice.
    const address = addressOf(printer);
    const waiting = this.#lines.get(address)?.waiting ?? 0;
    const taken = await this.#hold(entry, (known) => {
      if (known && (known.state !== "FAILED" || known.begun)) return known;
      if (waiting >= MOST_WAITING) {
        throw new Problem("RATE_LIMITED", "Too many receipts wait for this printer.");
      }
      return entry;
    });
    if (taken !== entry) return viewOf(taken ?? entry);
    const line = this.#lines.get(address) ?? { last: Promise.resolve(), waiting: 0 };
    line.waiting += 1;
    line.last = line.last
      .then(() => this.#print(printer, entry, job))
      .finally(() => {
        line.waiting -= 1;
        if (line.waiting === 0) this.#lines.delete(address);
      });
    this.#lines.set(address, line);
    this.#renew(entry);
    return viewOf(entry);
  }

  async find(printerId: string, printId: string): Promise<Print | undefined> {
    const entry = await this.#memory.read<Entry>(PRINTS, keyOf({ printerId, printId }));
    return entry && viewOf(entry);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([...this.#lines.values()].map(({ last }) => last));
  }

  async #print(printer: Printer, entry: Entry, job: Job): Promise<void> {
    const { signal } = this.#stop;
    const { printerId, printId } = entry;
    let begun = false;
    let ended: Entry;
    const begin = async () => {
      await this.#begin(job);
      begun = true;
    };
    try {
      if (signal.aborted) throw new PrinterError("OFF");
      const surroundings = { clock: this.#clock, begin };
      const confirmed = await this.#turns.take(addressOf(printer), { printId, signal }, () =>
        this.#send({ ...printer, signal }, job.bytes, surroundings),
      );
      ended = { ...entry, begun, confirmed, state: "PRINTED" };
      await this.#markPrinted(job);
    } catch (error) {
      const trouble = error instanceof PrinterError ? error.trouble : "FAULT";
      ended = { ...entry, begun, state: "FAILED", trouble };
      this.#log.warn(
        { printerId, printId, begun, trouble, err: error },
        "a receipt was not printed",
      );
    }
    const end = this.#memory.change<Entry>(PRINTS, keyOf(entry), () => ended, KEPT_MS);
    await end.catch((error: unknown) => {
      this.#log.warn({ printerId, printId, err: error }, "how a print ended could not be told");
    });
  }

  /**
   * @throws PrinterError REPLACED if the print has already started, or another print replaced it
   */
  async #begin({ accountId, printId, isRecorded }: Job): Promise<void> {
    if (!isRecorded) return;
    const at = this.#clock.now();
    const mayBegin = await this.#transactor.transact(accountId, (tx) =>
      beginPrint(tx, accountId, { printId, at }),
    );
    if (!mayBegin) throw new PrinterError("REPLACED");
  }

  /** Stores the success of a print. If the write fails, the outcome stays unknown. */
  async #markPrinted({ accountId, printId, isRecorded }: Job): Promise<void> {
    if (!isRecorded) return;
    try {
      await this.#transactor.transact(accountId, (tx) => markPrinted(tx, accountId, printId));
    } catch (error) {
      this.#log.warn({ printId, err: error }, "how a print ended could not be stored");
    }
  }

  #renew(entry: Entry): void {
    if (!this.#memory.isShared) return;
    const cancel = this.#clock.wakeAt(this.#clock.now() + RENEWED_MS, () => {
      const renew = (known: Entry | undefined) =>
        known?.state === "WAITING" ? { ...known } : known;
      void this.#hold(entry, renew).then(
        (known) => known?.state === "WAITING" && this.#renew(entry),
        () => this.#renew(entry),
      );
    });
    this.#stop.signal.addEventListener("abort", cancel, { once: true });
  }

  #hold(entry: Entry, step: (known: Entry | undefined) => Entry | undefined) {
    const lasts_ms = this.#memory.isShared ? HELD_MS : LONGEST_WAIT_MS;
    return this.#memory.change<Entry>(PRINTS, keyOf(entry), step, lasts_ms);
  }
}

function addressOf({ host, port }: Printer): string {
  return `${host.toLowerCase()}:${port}`;
}

function keyOf({ printerId, printId }: Pick<Print, "printerId" | "printId">): string {
  return `${printerId}/${printId}`;
}

function viewOf({ askedAt, ...entry }: Entry): Print {
  return { ...entry, askedAt: toTimestamp(askedAt) };
}
