import type { Selectable } from "kysely";
import type { Actor, Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { LANGUAGES, type Language } from "../../../contract/pos/setup.ts";
import type { NoTill, Till } from "../../../contract/pos/tills.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import { isKnownDevice } from "../staff/index.ts";

export function createTillsModule(deps: Base) {
  const tills = new TillService(deps);
  return {
    services: {},
    pos: (app) => registerTillRoutes(app, tills),
  } satisfies Module;
}

async function registerTillRoutes(app: App, tills: TillService): Promise<void> {
  const { tillOperations } = await import("../../../contract/pos/tills.ts");
  handle(app, tillOperations.list, async ({ actor, request }) => ({
    list: await tills.list(actor.accountId, placeOf(request).device),
  }));

  handle(app, tillOperations.rename, ({ actor, params, body, request }) => {
    const { accountId, staffId } = actor;
    const { device } = placeOf(request);
    return tills.rename({ accountId, staffId }, { ...params, ...body, device });
  });
}

type TillRow = Selectable<Tables["tills"]>;

/** Origin of a sale: the digest of a device's cookie, or a file. */
export type SoldFrom = { device: string | undefined } | "FILE";

const WORDS: Record<Language, string> = {
  en: "Till",
  es: "Caja",
  fr: "Caisse",
  pt: "Caixa",
  ar: "نقطة البيع",
};

/**
 * Returns the till of a device. A device becomes the next till at its first sale, if a person has
 * typed a PIN on it. Training creates no till (rules#figure-tills).
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
  const known = await findDeviceTill(tx, accountId, device);
  if (known) return known.till_id;
  if (!(await isKnownDevice(tx, { accountId, device }))) return "UNKNOWN" satisfies NoTill;
  return addTill(tx, accountId, device, at);
}

function findDeviceTill(db: Tx, accountId: string, device: string): Promise<TillRow | undefined> {
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

/** Returns a free name, because an owner may have given the till's default name to another till. */
async function freeName(tx: Tx, accountId: string, name: string): Promise<string> {
  const taken = new Set((await listTills(tx, accountId)).map((till) => till.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} (${n})`;
  return free;
}

function listTills(db: Db | Tx, accountId: string): Promise<TillRow[]> {
  return db
    .selectFrom("tills")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("number")
    .execute();
}

export async function tillNames(db: Db | Tx, accountId: string): Promise<Map<string, string>> {
  const tills = await listTills(db, accountId);
  return new Map(tills.map(({ till_id, name }) => [till_id, name]));
}

async function renameTill(
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

class TillService {
  readonly #deps: Base;

  constructor(deps: Base) {
    this.#deps = deps;
  }

  async list(accountId: string, device: string | undefined): Promise<Till[]> {
    const rows = await listTills(this.#deps.db, accountId);
    return rows.map((row) => viewTill(row, device));
  }

  /** @throws Problem NOT_FOUND, NAME_TAKEN */
  rename(
    author: Author,
    { tillId, name, device }: { tillId: string; name: string; device: string | undefined },
  ): Promise<Till> {
    const { transactor, clock } = this.#deps;
    const { accountId } = author;
    const wanted = tidyName(name);
    return transactor.transact(accountId, async (tx) => {
      const tills = await listTills(tx, accountId);
      const till = tills.find((one) => one.till_id === tillId);
      if (!till) throw new Problem("NOT_FOUND", "There is no such till.");
      const named = viewTill({ ...till, name: wanted }, device);
      if (till.name === wanted) return named;
      if (tills.some((one) => one.name.toLowerCase() === wanted.toLowerCase() && one !== till)) {
        throw new Problem("NAME_TAKEN", "Another till is called that.", { name: "is taken" });
      }
      await renameTill(tx, { accountId, tillId, name: wanted });
      await recordAudit(tx, {
        ...author,
        action: "till.name",
        subject: tillId,
        detail: { name: wanted, "name.was": till.name },
        at: clock.now(),
      });
      return named;
    });
  }
}

function viewTill(row: TillRow, device: string | undefined): Till {
  return {
    tillId: row.till_id,
    name: row.name,
    isHere: row.device_hash === device,
  };
}
