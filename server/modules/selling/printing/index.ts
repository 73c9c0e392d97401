import { lookup } from "node:dns/promises";
import { isIP, SocketAddress } from "node:net";
import type { Actor, Author } from "../../../contract/pos/actor.ts";
import {
  MOST_PRINT_BYTES,
  type Print,
  type Printer,
  type PrinterHead,
  type PrinterInput,
  type PrintInput,
  type PrintParams,
  type SavedPrinter,
  USUAL_HEADS,
} from "../../../contract/pos/printers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { PrintState } from "../../../db/tables/sales.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type Clock, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { whyRefused } from "../../../lib/guarded-request.ts";
import { withTimeout } from "../../../lib/with-timeout.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import { findDrawerCustomerRefund } from "../customer-refunds/index.ts";
import { beginPrint, findPrintRecord } from "../print-records/index.ts";
import { findDrawerSale } from "../sales/index.ts";
import { findMovementAuthor } from "../shifts/index.ts";
import { DrawerGuard, opensDrawer } from "./drawer-guard.ts";
import { PrintQueue } from "./print-queue.ts";
import { PRINTER_ADDRESSES } from "./printer-line.ts";
import {
  findPrinter,
  listPrinterPorts,
  listPrinters,
  putPrinter,
  removePrinter,
  setPrinterPorts,
} from "./printer-store.ts";

const MOST_PRINTERS = 20;
/** 9100, and the following ports for print servers with several printers. */
const USUAL_PORTS = { first: 9100, last: 9109 };

interface PrinterServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  queue: PrintQueue;
  drawers: DrawerGuard;
}

class PrinterService {
  readonly #deps: PrinterServiceDeps;

  constructor(deps: PrinterServiceDeps) {
    this.#deps = deps;
  }

  list(accountId: string): Promise<Printer[]> {
    return listPrinters(this.#deps.db, accountId);
  }

  /**
   * Adds a printer, or changes the printer with this id.
   * @throws Problem INVALID_REQUEST naming the field
   */
  async put(author: Author, printerId: string, input: PrinterInput): Promise<SavedPrinter> {
    const { db, transactor, clock } = this.#deps;
    const { accountId } = author;
    const refusal = isIP(input.host) === 0 ? undefined : whyRefused(input.host, PRINTER_ADDRESSES);
    if (refusal) throw invalid("host", refusal);
    // Names are resolved before the transaction, which must wait only for the database.
    const others = (await listPrinters(db, accountId)).filter((one) => one.printerId !== printerId);
    const { same, isUnknown } = await compareAddresses(input, others, clock);
    const saved = await transactor.transact(accountId, async (tx) => {
      await requireOpenPort(tx, accountId, input.port);
      const before = await listPrinters(tx, accountId);
      const known = before.find((one) => one.printerId === printerId);
      // Keeps the stored pin, because tills of earlier versions do not send it.
      const drawerPin = input.drawerPin ?? known?.drawerPin ?? 2;
      const head = headOf(input, known);
      const printer = { printerId, ...input, drawerPin, ...head };
      if (!known && before.length >= MOST_PRINTERS) {
        throw invalid("printerId", `a shop has at most ${MOST_PRINTERS} printers`);
      }
      if (known && isSame(known, printer)) return printer;
      const there =
        before.find((one) => one.printerId === same?.printerId) ??
        before.find((one) => one.printerId !== printerId && isAtAddress(one, input));
      if (there) throw invalid("host", `is the address of the printer "${there.name}"`);
      const at = clock.now();
      await putPrinter(tx, accountId, printer, at);
      const { printerId: _id, ...was } = known ?? { printerId };
      const detail = { ...whatChanged(was, { ...input, drawerPin, ...head }), name: input.name };
      await recordAudit(tx, { ...author, action: "printer.save", subject: printerId, detail, at });
      return printer;
    });
    return { ...saved, isAddressUnknown: isUnknown };
  }

  listPorts(accountId: string): Promise<number[]> {
    return listPrinterPorts(this.#deps.db, accountId);
  }

  /**
   * Replaces the additional ports to which receipts may be sent. Only for the command line:
   * receipts are not encrypted, and any other service on such a port would receive them.
   */
  allowPorts(accountId: string, wanted: readonly number[]): Promise<number[]> {
    const ports = [...new Set(wanted)].sort((a, b) => a - b);
    return this.#deps.transactor.transact(accountId, async (tx) => {
      await setPrinterPorts(tx, accountId, ports);
      await recordAudit(tx, {
        accountId,
        staffId: undefined,
        action: "settings.change",
        subject: accountId,
        detail: { printerPorts: ports.join(", ") },
        at: this.#deps.clock.now(),
      });
      return ports;
    });
  }

  remove(author: Author, printerId: string): Promise<void> {
    return this.#deps.transactor.transact(author.accountId, async (tx) => {
      const known = await findPrinter(tx, author.accountId, printerId);
      if (!known) return;
      const at = this.#deps.clock.now();
      await removePrinter(tx, author.accountId, printerId);
      const detail = { name: known.name, host: known.host, port: known.port };
      await recordAudit(tx, {
        ...author,
        action: "printer.remove",
        subject: printerId,
        detail,
        at,
      });
    });
  }

  /**
   * Requests a print, without waiting for the paper.
   * @throws Problem NOT_FOUND, INVALID_REQUEST, RATE_LIMITED; FORBIDDEN or APPROVAL_REQUIRED naming
   * the permission if the bytes may open the drawer without a booking
   */
  async print(user: Actor, printerId: string, input: PrintInput): Promise<Print> {
    const { db, queue, drawers } = this.#deps;
    const printer = await findPrinter(db, user.accountId, printerId);
    if (!printer) throw new Problem("NOT_FOUND", "There is no such printer.");
    await requireOpenPort(db, user.accountId, printer.port);
    const bytes = Buffer.from(input.data, "base64");
    // Validates by encoding again, because a regular expression would overflow the stack for
    // megabytes.
    if (bytes.toString("base64") !== input.data) throw invalid("data", "must be base64");
    if (bytes.length > MOST_PRINT_BYTES) {
      throw invalid("data", `holds more than ${MOST_PRINT_BYTES} bytes`);
    }
    if (opensDrawer(bytes)) await drawers.admit(user, printerId, input);
    const { accountId } = user;
    const { printId } = input;
    const record = await findPrintRecord(db, accountId, printId);
    // A started print is never sent again, even if this process does not know its state.
    if (record && record.state !== "NOT_BEGUN") {
      return this.getPrint(user, { printerId, printId });
    }
    return queue.submit(printer, { accountId, printId, bytes, isRecorded: record !== undefined });
  }

  /**
   * Starts a print on a device's own printer.
   * @throws Problem NOT_FOUND; ID_TAKEN if the print has already started, or another print replaced
   * it
   */
  async beginPrint(user: Actor, printId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const { accountId, staffId } = user;
    await transactor.transact(accountId, async (tx) => {
      const record = await findPrintRecord(tx, accountId, printId);
      if (record?.staffId !== staffId) throw new Problem("NOT_FOUND", "There is no such print.");
      if (!(await beginPrint(tx, accountId, { printId, at: clock.now() }))) {
        throw new Problem("ID_TAKEN", "This print has begun before, or was replaced.", {
          printId: "has begun before, or was replaced",
        });
      }
    });
  }

  /** @throws Problem NOT_FOUND if the print was never requested, or its record was deleted */
  async getPrint(user: Actor, { printerId, printId }: PrintParams): Promise<Print> {
    const { db, queue } = this.#deps;
    const print = await queue.find(printerId, printId);
    if (print) return print;
    const record = await findPrintRecord(db, user.accountId, printId);
    if (!record || record.state === "NOT_BEGUN") {
      throw new Problem("NOT_FOUND", "There is no such print.");
    }
    return { printId, printerId, askedAt: toTimestamp(record.recordedAt), ...endOf(record.state) };
  }
}

/** Describes a print that no process has in memory. A started print may be on paper. */
function endOf(
  state: Exclude<PrintState, "NOT_BEGUN">,
): Pick<Print, "state" | "begun" | "confirmed" | "trouble"> {
  switch (state) {
    case "PRINTED":
      return { state: "PRINTED", begun: true, confirmed: false };
    case "BEGUN":
      return { state: "FAILED", begun: true, confirmed: false, trouble: "NO_ANSWER" };
    case "REPLACED":
      return { state: "FAILED", begun: false, confirmed: false, trouble: "REPLACED" };
  }
}

/** @throws Problem INVALID_REQUEST naming `port` */
async function requireOpenPort(db: Db | Tx, accountId: string, port: number): Promise<void> {
  if (port >= USUAL_PORTS.first && port <= USUAL_PORTS.last) return;
  if ((await listPrinterPorts(db, accountId)).includes(port)) return;
  const usual = `must be ${USUAL_PORTS.first} to ${USUAL_PORTS.last}`;
  throw invalid("port", `${usual}, or one allowed by "tillgate printers ports --allow ${port}"`);
}

/** Missing values default to the stored width for the same paper, or to the usual width. */
function headOf(input: PrinterInput, known: Printer | undefined): PrinterHead {
  const before = known?.paper === input.paper ? known : USUAL_HEADS[input.paper];
  const { lineLetters = before.lineLetters, headDots = before.headDots } = input;
  return { lineLetters, headDots };
}

/** Detects a second entry, because the prints of two entries would not wait for each other. */
function isAtAddress(printer: Printer, { host, port }: PrinterInput): boolean {
  return printer.host.toLowerCase() === host.toLowerCase() && printer.port === port;
}

function isSame(a: Printer, b: Printer): boolean {
  const keys = [
    "name",
    "host",
    "port",
    "paper",
    "drawer",
    "drawerPin",
    "lineLetters",
    "headDots",
  ] as const;
  return keys.every((key) => a[key] === b[key]);
}

function invalid(field: string, rule: string): Problem {
  return new Problem("INVALID_REQUEST", `${field}: ${rule}.`, { [field]: rule });
}

const LOOKUP_TIMEOUT_MS = 3 * SECOND;
const IPV4_IN_IPV6 = "::ffff:";

type Address = Pick<Printer, "host" | "port">;

interface Compared {
  readonly same: Printer | undefined;
  /** True if a name could not be resolved, and was therefore not compared. */
  readonly isUnknown: boolean;
}

/**
 * Compares resolved addresses, to detect a printer with two entries, whose prints would not wait
 * for each other.
 */
async function compareAddresses(
  { host, port }: Address,
  others: readonly Printer[],
  clock: Clock,
): Promise<Compared> {
  const candidates = others.filter((other) => other.port === port);
  if (candidates.length === 0) return { same: undefined, isUnknown: false };
  const [own, ...theirs] = await Promise.all(
    [host, ...candidates.map((other) => other.host)].map((one) => findAddresses(one, clock)),
  );
  const same = candidates.find((other, at) => {
    if (other.host.toLowerCase() === host.toLowerCase()) return true;
    return theirs[at]?.some((address) => own?.includes(address)) ?? false;
  });
  return { same, isUnknown: !same && [own, ...theirs].includes(undefined) };
}

async function findAddresses(host: string, clock: Clock): Promise<string[] | undefined> {
  if (isIP(host) !== 0) return [canonicalAddress(host)];
  try {
    const timeout = { timeout_ms: LOOKUP_TIMEOUT_MS };
    const found = await withTimeout(clock, timeout, () => lookup(host, { all: true }));
    return found.map(({ address }) => canonicalAddress(address));
  } catch {
    return undefined;
  }
}

function canonicalAddress(address: string): string {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const spelled = new SocketAddress({ address, family }).address;
  return spelled.startsWith(IPV4_IN_IPV6) ? spelled.slice(IPV4_IN_IPV6.length) : spelled;
}

export function createPrintingModule(base: Base) {
  const { db } = base;
  const queue = new PrintQueue(base);
  const drawers = new DrawerGuard({
    ...base,
    cashMovements: {
      SALE: (scope, id) => findDrawerSale(db, scope, id),
      CUSTOMER_REFUND: (scope, id) => findDrawerCustomerRefund(db, scope, id),
      MOVEMENT: (scope, id) => findMovementAuthor(db, scope, id),
    },
  });
  const printers = new PrinterService({ ...base, queue, drawers });
  return {
    services: { printers },
    pos: (app) => registerPrinterRoutes(app, printers),
    stop: () => queue.stop(),
  } satisfies Module;
}

async function registerPrinterRoutes(app: App, printers: PrinterService): Promise<void> {
  const { printerOperations } = await import("../../../contract/pos/printers.ts");
  handle(app, printerOperations.list, async ({ actor }) => ({
    list: await printers.list(actor.accountId),
  }));

  handle(app, printerOperations.save, ({ actor, params, body }) =>
    printers.put(actor, params.printerId, body),
  );

  handle(app, printerOperations.remove, async ({ actor, params }) => {
    await printers.remove(actor, params.printerId);
    return {};
  });

  handle(app, printerOperations.print, ({ actor, params, body }) =>
    printers.print(actor, params.printerId, body),
  );

  handle(app, printerOperations.beginPrint, async ({ actor, params }) => {
    await printers.beginPrint(actor, params.printId);
    return {};
  });

  handle(app, printerOperations.getPrint, ({ actor, params }) => printers.getPrint(actor, params));
}
