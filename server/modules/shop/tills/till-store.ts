import type { Selectable } from "kysely";
import type { Actor } from "../../../contract/pos/actor.ts";
import { LANGUAGES, type Language } from "../../../contract/pos/setup.ts";
import type { NoTill } from "../../../contract/pos/tills.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";
import { isKnownDevice } from "../staff/index.ts";

export type TillRow = Selectable<Tables["tills"]>;

/** Where something is sold: at the device whose digest is known, or from a file. */
export type SoldFrom = { device: string | undefined } | "FILE";

/** What a till is called until its owner calls it something else. */
const WORDS: Record<Language, string> = {
  en: "Till",
  es: "Caja",
  fr: "Caisse",
  pt: "Caixa",
  ar: "الصندوق",
};

/**
 * The till of a sale or a customer refund: a device that was not seen selling before is the next one. Only
 * a device at which a person typed their PIN is one; training makes none (rules#figure-tills).
 */
export async function readTill(
  tx: Tx,
  { accountId, training }: Pick<Actor, "accountId" | "training">,
  from: SoldFrom | undefined,
  at: number,
): Promise<string> {
  if (from === "FILE") return "FILE" satisfies NoTill;
  const device = from?.device;
  if (device === undefined || training) return "UNKNOWN" satisfies NoTill;
  const known = await findTillOfDevice(tx, accountId, device);
  if (known) return known.till_id;
  if (!(await isKnownDevice(tx, { accountId, device }))) return "UNKNOWN" satisfies NoTill;
  return addTill(tx, accountId, device, at);
}

function findTillOfDevice(db: Tx, accountId: string, device: string): Promise<TillRow | undefined> {
  return db
    .selectFrom("tills")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("device_hash", "=", device)
    .executeTakeFirst();
}

async function addTill(tx: Tx, accountId: string, device: string, at: number): Promise<string> {
  const { highest, language } = await tx
    .selectFrom("shops")
    .select("language")
    .select((eb) =>
      eb
        .selectFrom("tills")
        .select((max) => max.fn.max("number").as("highest"))
        .where("tills.account_id", "=", accountId)
        .as("highest"),
    )
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const number = (highest ?? 0) + 1;
  const word = WORDS[LANGUAGES.find((one) => one === language) ?? "en"];
  const till = {
    till_id: `till-${number}`,
    number,
    name: await freeName(tx, accountId, `${word} ${number}`),
  };
  await tx
    .insertInto("tills")
    .values({ account_id: accountId, ...till, device_hash: device, first_used_at: at })
    .execute();
  return till.till_id;
}

/** Another till may have been given the name of one that came later. */
async function freeName(tx: Tx, accountId: string, name: string): Promise<string> {
  const taken = new Set((await listTills(tx, accountId)).map((till) => till.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} (${n})`;
  return free;
}

/** In the order they first sold. */
export function listTills(db: Db | Tx, accountId: string): Promise<TillRow[]> {
  return db
    .selectFrom("tills")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("number")
    .execute();
}

/** What tills are called now, by their ids. */
export async function tillNames(db: Db | Tx, accountId: string): Promise<Map<string, string>> {
  const tills = await listTills(db, accountId);
  return new Map(tills.map(({ till_id, name }) => [till_id, name]));
}

export async function renameTill(
  tx: Tx,
  { accountId, tillId, name }: { accountId: string; tillId: string; name: string },
): Promise<void> {
  await tx
    .updateTable("tills")
    .set({ name })
    .where("account_id", "=", accountId)
    .where("till_id", "=", tillId)
    .execute();
}
