import type { Actor } from "../../../contract/pos/actor.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { findStaff, toPowers } from "./staff-store.ts";

/**
 * A person as their session would say, for work that goes on without one, with the rights of now;
 * undefined where they are on the staff no more.
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
