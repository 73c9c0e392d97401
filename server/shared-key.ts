import { LastingError, StartupError } from "./config/startup-error.ts";
import { NO_ACCOUNT } from "./db/account-lock.ts";
import type { Db } from "./db/database.ts";
import { makeDataDir, placeOnce } from "./db/database-files.ts";
import type { Transactor } from "./db/transactor.ts";
import { createFileSealer, SealError, sealKeyFile } from "./lib/sealer.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  dataDir: string;
  /** What the database is called in messages. */
  name: string;
  isGateway: boolean;
}

/** What a key is made for here: its id, which tells nothing about it. */
const PURPOSE = "which key file this is";

/**
 * The processes of a shop on PostgreSQL have one key file: with another one a process would refuse everybody's PIN, and
 * encrypt what the others cannot read (rules#access-one-key-file). The first start says which it is, and makes
 * it where there is none.
 * @throws StartupError where this process has another one, or none
 */
export async function requireSharedKey(deps: Deps): Promise<void> {
  const { db, dataDir, name } = deps;
  const own = keyIdOf(dataDir);
  const known = (await findKeyId(db)) ?? (await noteKeyId(deps, own));
  if (known === undefined || known === keyIdOf(dataDir)) return;
  const file = sealKeyFile(dataDir);
  const what = own === undefined ? "is not there" : "is another one";
  throw new LastingError(
    `The shop in the database ${name} has a key file, which opens its PINs and secrets: ${file} ${what}. Nothing was changed. Copy secrets.key from the data directory of another process of this shop; where no copy is left, docs/postgresql.md says what to do.`,
  );
}

/** @returns what is known afterwards; undefined where a command looks at a shop that no gateway has had yet */
async function noteKeyId(
  { db, transactor, dataDir, isGateway }: Deps,
  own: string | undefined,
): Promise<string | undefined> {
  if (!isGateway && (await hasPeople(db))) return undefined;
  if (own === undefined) makeDataDir(dataDir);
  const key_id = own ?? keyIdOf(dataDir, { create: true });
  if (key_id === undefined) return undefined;
  await transactor.transact(NO_ACCOUNT, async (tx) => {
    const row = { one: 1, key_id } as const;
    // Another one may have started at the same time.
    const values = tx.insertInto("key_files").values(row);
    await values.onConflict((conflict) => conflict.doNothing()).execute();
  });
  return findKeyId(db);
}

/** By the first PIN there is a key, though a command has set the shop up. */
async function hasPeople(db: Db): Promise<boolean> {
  return (await db.selectFrom("staff").select("staff_id").limit(1).execute()).length > 0;
}

async function findKeyId(db: Db): Promise<string | undefined> {
  return (await db.selectFrom("key_files").select("key_id").executeTakeFirst())?.key_id;
}

function keyIdOf(dataDir: string, options = { create: false }): string | undefined {
  try {
    return createFileSealer(dataDir, placeOnce).derive(PURPOSE, options)?.id;
  } catch (error) {
    throw error instanceof SealError ? new StartupError(error.message) : error;
  }
}
