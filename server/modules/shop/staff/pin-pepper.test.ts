import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../db/database.ts";
import { databaseFile } from "../../../db/database-files.ts";
import { sealKeyFile } from "../../../lib/sealer.ts";
import { LOSES_THE_KEY, MAKES_BACKUPS, onlySqlite } from "../../../testing/only-sqlite.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

/** A copy of the database without the key file must not be enough to guess PINs. */
let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
});
afterEach(() => till.close());

const CLERK_PIN = "258025";

async function readHash(staffId: string): Promise<string> {
  const { pin_hash } = await till.gateway.context.db
    .selectFrom("staff")
    .select("pin_hash")
    .where("staff_id", "=", staffId)
    .executeTakeFirstOrThrow();
  return pin_hash;
}

async function addClerk(): Promise<string> {
  const clerk = { name: "Ana", role: "clerk", pin: CLERK_PIN };
  return (await owner.pos("POST", "/staff", clerk)).body.staffId;
}

function signIn(staffId: string, pin: string) {
  return till.call("POST", "/pos/session", { body: { staffId, pin } });
}

async function forgetPepper(staffId: string, pin: string): Promise<string> {
  const { hashPin } = await import("./pin-hasher.ts");
  const pin_hash = await hashPin(pin, 4, undefined);
  const { transactor } = till.gateway.context;
  await transactor.transact("default", (tx) =>
    tx.updateTable("staff").set({ pin_hash }).where("staff_id", "=", staffId).execute(),
  );
  return pin_hash;
}

describe("the hash of a PIN", () => {
  it("contains the key's id, and cannot be checked without the key", async () => {
    const clerk = await addClerk();
    const [kind, keyId] = (await readHash(clerk)).split("$");
    expect(kind).toBe("hmac-scrypt");
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect((await signIn(clerk, CLERK_PIN)).status).toBe(200);
    expect((await signIn(clerk, "258026")).body.errorCode).toBe("PIN_WRONG");
  });

  it("may have no pepper in an early version, and is replaced at the next right PIN", async () => {
    const clerk = await addClerk();
    const old = await forgetPepper(clerk, CLERK_PIN);
    expect((await signIn(clerk, "258026")).body.errorCode).toBe("PIN_WRONG");
    expect(await readHash(clerk)).toBe(old);
    expect((await signIn(clerk, CLERK_PIN)).status).toBe(200);
    const renewed = await readHash(clerk);
    expect(renewed).toMatch(/^hmac-scrypt\$/);
    expect((await signIn(clerk, CLERK_PIN)).status).toBe(200);
    expect(await readHash(clerk)).toBe(renewed);
  });

  it("gets a pepper at the owner's next sign-in", async () => {
    const clerk = await addClerk();
    await forgetPepper(owner.staffId, OWNER_PIN);
    expect((await owner.signIn(owner.staffId, OWNER_PIN, { shift: false })).staffId).toBeDefined();
    expect(await readHash(owner.staffId)).toMatch(/^hmac-scrypt\$/);
    expect(clerk).toBeDefined();
  });
});

describe("a gateway without the key of the PIN hashes", () => {
  it(
    "refuses every sign-in without counting a guess, until the owner regains access and resets PINs",
    onlySqlite(LOSES_THE_KEY),
    async () => {
      const clerk = await addClerk();
      rmSync(sealKeyFile(till.dataDir));
      await till.restart();
      for (let n = 0; n < 30; n++) {
        const refused = await signIn(owner.staffId, OWNER_PIN);
        expect([refused.status, refused.body.errorCode]).toEqual([503, "PIN_KEY_MISSING"]);
      }
      const { staffId } = owner;
      const reset = await typeCommand(till, ["staff", "pin", staffId, "--pin", "604817"]);
      expect([reset.exitCode, reset.stderr]).toEqual([0, ""]);
      expect(existsSync(sealKeyFile(till.dataDir))).toBe(true);
      const olga = await owner.signIn(staffId, "604817", { shift: false });
      expect((await signIn(clerk, CLERK_PIN)).body.errorCode).toBe("PIN_KEY_MISSING");
      expect((await olga.pos("PATCH", `/staff/${clerk}`, { pin: CLERK_PIN })).status).toBe(200);
      expect((await signIn(clerk, CLERK_PIN)).status).toBe(200);
    },
  );

  it("accepts the old PINs when the key is back", async () => {
    const file = sealKeyFile(till.dataDir);
    renameSync(file, `${file}.aside`);
    expect((await signIn(owner.staffId, OWNER_PIN)).body.errorCode).toBe("PIN_KEY_MISSING");
    renameSync(`${file}.aside`, file);
    expect((await signIn(owner.staffId, OWNER_PIN)).status).toBe(200);
  });
});

describe("the restore of an older version's backup without the key", () => {
  it(
    "reports the people who cannot sign in, and the command to type",
    onlySqlite(MAKES_BACKUPS),
    async () => {
      await addClerk();
      // Older versions made backups by copying the database file.
      const file = join(till.dataDir, "tillgate-20260115T093000Z.db");
      const database = openDatabase(till.dataDir);
      await sql`vacuum into ${file}`.execute(database);
      await database.destroy();
      const restore = ["backup", "restore", file, "--unsigned", "accept"];
      const other = await startTestGateway();
      try {
        await other.gateway.close();
        for (const suffix of ["", "-wal", "-shm"]) {
          rmSync(databaseFile(other.dataDir) + suffix, { force: true });
        }
        const restored = await typeCommand(other.dataDir, restore);
        expect([restored.exitCode, restored.stderr]).toEqual([0, ""]);
        expect(restored.stdout).toMatch(
          /^MISSING: the key .+secrets\.key that 2 PINs of staff .+ were encrypted with/m,
        );
        expect(restored.stdout).toContain(`staff pin ${owner.staffId}`);

        copyFileSync(sealKeyFile(till.dataDir), sealKeyFile(other.dataDir));
        const again = await typeCommand(other.dataDir, restore);
        expect(again.exitCode).toBe(0);
        expect(again.stdout).not.toMatch(/MISSING/);
      } finally {
        rmSync(join(other.dataDir), { recursive: true, force: true });
      }
    },
  );
});
