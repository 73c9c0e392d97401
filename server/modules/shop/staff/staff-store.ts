import type { Selectable } from "kysely";
import type { Actor } from "../../../contract/pos/actor.ts";
import {
  Limits,
  OwnRights,
  type Rights,
  type Role,
  rightsOf,
} from "../../../contract/pos/rights.ts";
import type { StaffMember, StaffName } from "../../../contract/pos/staff.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import { toTimestamp } from "../../../lib/clock.ts";

export type StaffRow = Selectable<Tables["staff"]>;

export interface NewStaff {
  accountId: string;
  staffId: string;
  name: string;
  role: Role;
  pinHash: string;
  /** Whether another person set the PIN. The person must then choose a PIN at the first sign-in. */
  isPinGiven: boolean;
  at: number;
}

/** @throws Problem NAME_TAKEN */
export async function createStaff(tx: Tx, staff: NewStaff): Promise<void> {
  const { accountId, staffId, name } = staff;
  await refuseTakenName(tx, { accountId, staffId, name });
  await tx
    .insertInto("staff")
    .values({
      account_id: accountId,
      staff_id: staffId,
      name,
      role: staff.role,
      pin_hash: staff.pinHash,
      active: 1,
      failed_attempts: 0,
      created_at: staff.at,
      pin_given_at: staff.isPinGiven ? staff.at : null,
    })
    .execute();
}

export interface StaffUpdate {
  name?: string;
  role?: Role;
  pin_hash?: string;
  pin_given_at?: number | null;
  active?: number;
  signed_in_at?: number;
  failed_attempts?: number;
  locked_until?: number | null;
  rights_json?: string;
  limits_json?: string;
}

/** @throws Problem NAME_TAKEN */
export async function updateStaff(
  tx: Tx,
  accountId: string,
  staffId: string,
  update: StaffUpdate,
): Promise<void> {
  const { name } = update;
  if (name !== undefined) await refuseTakenName(tx, { accountId, staffId, name });
  await tx
    .updateTable("staff")
    .set(update)
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .execute();
}

/**
 * Replaces a PIN's hash with another hash of the same PIN, unless the PIN has changed since
 * `before` was read.
 */
export async function renewHash(tx: Tx, before: StaffRow, pinHash: string): Promise<void> {
  await tx
    .updateTable("staff")
    .set({ pin_hash: pinHash })
    .where("account_id", "=", before.account_id)
    .where("staff_id", "=", before.staff_id)
    .where("pin_hash", "=", before.pin_hash)
    .execute();
}

async function refuseTakenName(
  tx: Tx,
  { accountId, staffId, name }: Pick<NewStaff, "accountId" | "staffId" | "name">,
): Promise<void> {
  const other = await tx
    .selectFrom("staff")
    .select("staff_id")
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .where("staff_id", "<>", staffId)
    .executeTakeFirst();
  if (!other) return;
  throw new Problem("NAME_TAKEN", "Somebody of the staff has that name already.", {
    name: "is taken",
  });
}

export async function findStaff(
  db: Db | Tx,
  accountId: string,
  staffId: string,
): Promise<StaffRow | undefined> {
  return db
    .selectFrom("staff")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .executeTakeFirst();
}

export async function findShopUnit(
  db: Db | Tx,
  accountId: string,
): Promise<{ currency: string; currencyDivisor: number } | undefined> {
  const row = await db
    .selectFrom("shops")
    .select(["currency", "currency_divisor"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row && { currency: row.currency, currencyDivisor: row.currency_divisor };
}

export async function listStaff(db: Db | Tx, accountId: string): Promise<StaffRow[]> {
  return db
    .selectFrom("staff")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("active", "desc")
    .orderBy("name")
    .execute();
}

export function toStaffName(row: StaffRow): StaffName {
  return { staffId: row.staff_id, name: row.name, role: row.role };
}

/** Actions and amounts that a person needs no approval for. */
export interface Powers {
  rights: Rights;
  limits: Limits;
}

export function toPowers(row: StaffRow): Powers {
  return { rights: rightsOf(row.role, readOwnRights(row)), limits: readLimits(row) };
}

function readOwnRights({ role, rights_json, staff_id: row }: StaffRow): OwnRights {
  if (role === "owner") return {};
  return readColumn(OwnRights, rights_json, { table: "staff", column: "rights_json", row });
}

function readLimits({ role, limits_json, staff_id: row }: StaffRow): Limits {
  if (role === "owner") return {};
  return readColumn(Limits, limits_json, { table: "staff", column: "limits_json", row });
}

export function toStaffMember(row: StaffRow): StaffMember {
  return {
    ...toStaffName(row),
    active: row.active === 1,
    createdAt: toTimestamp(row.created_at),
    ...(row.pin_given_at !== null && { pinDue: true }),
    ownRights: readOwnRights(row),
    ...toPowers(row),
  };
}

export async function staffNames(
  db: Db | Tx,
  accountId: string,
  staffIds: readonly string[],
): Promise<Map<string, string>> {
  if (staffIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("staff")
    .select(["staff_id", "name"])
    .where("account_id", "=", accountId)
    .where("staff_id", "in", staffIds)
    .execute();
  return new Map(rows.map((row) => [row.staff_id, row.name]));
}

/**
 * Returns a person as the actor of work without a session.
 * @returns undefined if the person has left
 */
export async function findActor(
  db: Db | Tx,
  { accountId, environment }: Scope,
  staffId: string,
): Promise<Actor | undefined> {
  const row = await findStaff(db, accountId, staffId);
  if (row?.active !== 1) return undefined;
  const { name, role } = row;
  return { accountId, environment, staffId, name, role, training: false, ...toPowers(row) };
}
