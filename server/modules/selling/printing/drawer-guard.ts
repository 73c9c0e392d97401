import type { Actor } from "../../../contract/pos/actor.ts";
import type { DrawerCause, PrintInput } from "../../../contract/pos/printers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { SharedMemory } from "../../../db/shared-memory.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, MINUTE } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { findPrinter } from "./printer-store.ts";

/** Who booked cash in or out, and when. */
export interface CashMovement {
  staffId: string;
  at: number;
}

/** The booking that cash moves for, by its id; undefined where no cash moves. */
export type FindCashMovement = (scope: Scope, id: string) => Promise<CashMovement | undefined>;

interface DrawerGuardDeps {
  transactor: Transactor;
  memory: SharedMemory;
  clock: Clock;
  cashMovements: Record<Exclude<DrawerCause["reason"], "TEST">, FindCashMovement>;
}

/** A booking opens the drawer within this time or not at all; afterwards its use is forgotten. */
const OPENS_FOR_MS = 10 * MINUTE;

const OPENINGS = "drawer-openings";
/** The print, and its printer, by which a booking has opened the drawer. */
interface Opening {
  print: string;
}

/**
 * Nobody opens a drawer without a trace: each opening has a sale, a customer refund or a movement that
 * is on record, and each of those opens it once (rules#drawer-opens-for-a-booking).
 */
export class DrawerGuard {
  readonly #deps: DrawerGuardDeps;

  constructor(deps: DrawerGuardDeps) {
    this.#deps = deps;
  }

  /**
   * Lets a print open the drawer, or not. The same print again on the same printer, after it failed, is
   * the same opening.
   * @throws Problem FORBIDDEN naming the right, or APPROVAL_REQUIRED for a test without it
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

  /** A test has nothing booked, so it takes the right to open the drawer, and is on record. */
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
