import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writerOf } from "../testing/direct-writes.ts";
import { isOnPostgres } from "../testing/only-sqlite.ts";
import { openPlace, type Place } from "../testing/place.ts";
import { makePlace } from "../testing/postgres-database.ts";
import { type Finished, typeCommand } from "../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-admin-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function freshPlace(): Promise<Place> {
  return makePlace(mkdtempSync(join(root, "data-")));
}

function tillgate(place: Place, line: string, input?: string): Promise<Finished> {
  const args = line === "" ? [] : line.split(" ").map((word) => word.replaceAll("_", " "));
  return typeCommand(place, args, input);
}

async function run(place: Place, line: string, input?: string): Promise<string> {
  const finished = await tillgate(place, line, input);
  expect(finished.stderr).toBe("");
  expect(finished.exitCode).toBe(0);
  return finished.stdout.replace(/\n$/, "");
}

async function createData(place: Place): Promise<void> {
  await run(place, "wallet set --env test --amount 100000");
}

async function refuse(place: Place, line: string, words: RegExp, input?: string): Promise<void> {
  const { exitCode, stdout, stderr } = await tillgate(place, line, input);
  expect(stderr).toMatch(words);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at |node:internal/);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
}

const MACHINE_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const NO_TEXT = "receipt address none\nreceipt support none";
const REST = `idle lock after 3 min\nPINs and codes kept 90 days\ncustomers' numbers kept for good\ntime zone ${MACHINE_ZONE}\nday from 00:00\ncash not rounded\n${NO_TEXT}`;

const COMMANDS: Record<string, string[]> = {
  setup: ["--shop", "--currency", "--rate", "--language", "--owner-name", "--owner-pin"],
  "staff list": [],
  "staff pin": ["STAFF_ID", "--pin"],
  "keys create": ["--env", "--name", "--allow", "--scopes", "--expires"],
  "keys list": [],
  "keys revoke": ["KEY_ID"],
  "wallet show": ["--env"],
  "wallet set": ["--env", "--amount"],
  "settings get": ["--env"],
  "settings set": [
    "--env",
    "--queue",
    "--lookup",
    "--idle-lock",
    "--time-zone",
    "--receipt-address",
    "--receipt-support",
    "--rate",
    "--till-environment",
  ],
  "catalog import": ["FILE", "--env"],
  "catalog export": ["[FILE]", "--env"],
  "webhooks add": [
    "--env",
    "--kind",
    "--description",
    "--url",
    "--header",
    "--header-value-file",
    "--allow-private",
    "--replace",
  ],
  "webhooks change": ["WEBHOOK_ID", "--kind", "--description", "--url", "--header"],
  "webhooks secret": ["WEBHOOK_ID", "--old-secret-hours"],
  "webhooks listen": ["--env", "--forward", "--kind", "--bodies"],
  "webhooks trigger": ["TOPUP", "--env", "--webhook"],
  "webhooks list": [],
  "webhooks deliveries": ["--webhook", "--transaction", "--state"],
  "webhooks resend": ["DELIVERY_ID"],
  "webhooks resume": ["WEBHOOK_ID"],
  "webhooks remove": ["WEBHOOK_ID"],
  "upstream connect": [
    "--env",
    "--provider",
    "--kind",
    "--url",
    "--client-id",
    "--key-file",
    "--allow-private",
  ],
  "upstream add": [
    "--env",
    "--name",
    "--kind",
    "--url",
    "--client-id",
    "--key-file",
    "--allow-private",
  ],
  "upstream list": ["--env"],
  "upstream rename": ["--env", "--provider", "--name"],
  "upstream pause": ["--env", "--provider"],
  "upstream resume": ["--env", "--provider"],
  "upstream order": ["--env", "--brand", "--country", "--family", "--providers"],
  "upstream join": ["--env", "--brand", "--as"],
  "upstream test": ["--env", "--provider"],
  "upstream sync": ["--env", "--provider"],
  "upstream hook": ["--env", "--provider"],
  "upstream secret": ["--env", "--provider", "--secret-file"],
  "brands list": ["--env"],
  "brands pause": ["BRAND", "--env"],
  "brands resume": ["BRAND", "--env"],
  "reconciliation list": ["--env"],
  "reconciliation settle": ["TRANSACTION_ID", "--env", "--outcome", "--note"],
  "upstream status": ["--env", "--provider"],
  "upstream disconnect": ["--env", "--provider"],
  "wallet recharge": ["--env", "--amount", "--paid"],
  "sandbox wallet": ["NAME", "--set", "--url", "--key"],
  "sandbox deliveries": ["NAME"],
  audit: [],
  status: ["--backups"],
  "metrics token": [],
  "metrics revoke": [],
  "backup now": ["--backups"],
  "backup list": ["--backups"],
  "backup verify": ["FILE", "--backups"],
  "backup restore": ["FILE", "--backups"],
  "backup restored": [],
  export: ["FILE"],
  import: ["FILE"],
};

describe("help", () => {
  it("lists every command, even if no help was requested", async () => {
    const data = await freshPlace();
    const [asked, bare] = await Promise.all([run(data, "--help"), run(data, "")]);
    expect(bare).toBe(asked);
    for (const name of Object.keys(COMMANDS)) expect(asked).toContain(`  ${name}`);
  });

  it("names the options of each command without opening a database", async () => {
    const dataDir = join(root, "never-made");
    const texts = await Promise.all(
      Object.keys(COMMANDS).map((name) => run({ dataDir }, `${name} --help`)),
    );
    for (const [n, [name, options]] of Object.entries(COMMANDS).entries()) {
      expect(texts[n]).toMatch(new RegExp(`^Usage: .* ${name}`));
      for (const option of [...options, "--data", "--json", "--help"]) {
        expect(texts[n]).toContain(option);
      }
    }
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("commands named in other texts", () => {
  const SOURCE = "../modules/operations/going-live/going-live-checks.ts";
  const NAMED =
    /(?:tillgate |command\(")([a-z]+(?: [a-z]+)?)((?: --[a-z-]+(?: [^\s"-][^\s"]*)?)*)/g;

  it("exist with their options if the go-live checks name them", () => {
    const named = [...readFileSync(join(import.meta.dirname, SOURCE), "utf8").matchAll(NAMED)];
    expect(named.length).toBeGreaterThan(5);
    for (const [, name = "", options = ""] of named) {
      expect(Object.keys(COMMANDS)).toContain(name);
      const known = COMMANDS[name] ?? [];
      for (const [option] of options.matchAll(/--[a-z-]+/g)) expect(known).toContain(option);
    }
  });
});

describe("an invalid command", () => {
  it("prints one line and exits with code 1", async () => {
    const data = await freshPlace();
    const file = join(root, "file");
    writeFileSync(file, "");
    await createData(data);
    await Promise.all([
      refuse(data, "sell", /There is no command "sell"/),
      refuse(data, "sell --data nowhere", /There is no command "sell";/),
      refuse(data, "--env test wallet show", /^The command comes first;/),
      refuse(data, "audit now", /now/),
      refuse(data, "wallet show --env prod", /--env must be test or live, not "prod"/),
      refuse(data, "wallet set --env test --amount 1.50", /--amount must be whole minor units/),
      refuse(
        data,
        "wallet set --env test --amount 1000000000000",
        /^--amount must not be over 999999999999 minor units\.$/m,
      ),
      refuse(
        data,
        "wallet set --env test --amount -1",
        /^--amount must be whole minor units, not "-1"\.$/m,
      ),
      refuse(data, "wallet set --env test --amount", /^--amount needs a value after it\.$/m),
      refuse(data, "wallet show --evn test", /^There is no option --evn; wallet show --help/),
      refuse(data, "wallet set --env live --amount 1", /Only the test wallet/),
      refuse(data, "settings set --env test --queue maybe", /--queue must be on or off/),
      refuse(data, "settings set --lookup 1", /--lookup must be on or off, not "1"/),
      refuse(data, "settings set --env test", /--queue, --lookup, .+ or --till-environment is/),
      refuse(data, "settings set --idle-lock 121", /--idle-lock must be 0 to 120 minutes/),
      refuse(data, "settings set --idle-lock -1", /--idle-lock must be 0 to 120 minutes/),
      refuse(data, "settings set --time-zone Guatemala", /--time-zone must be a time zone such as/),
      refuse(data, "settings set --day-starts-at 06:30", /--day-starts-at must be 00:00 to 06:00/),
      refuse(data, `settings set --receipt-address ${"x".repeat(43)}`, /--receipt-address must be/),
      refuse(data, "settings set --receipt-support a|b|c|d", /--receipt-support must be at most 3/),
      refuse(data, "settings set --queue off", /--env is required/),
      refuse(data, "settings set --lookup off --queue off", /--env is required/),
      refuse(data, "settings set --lookup off --env prod", /--env must be test or live/),
      refuse(data, "settings get --env prod", /--env must be test or live/),
      refuse(data, "keys create --env test", /--name is required/),
      refuse(data, "keys create --env test --name a --allow 10.0.0.0/33", /not an address/),
      refuse(data, "keys create --env test --name a --scopes read,write", /not "write"/),
      refuse(
        data,
        "keys create --env test --name a --expires 2020-01-31",
        /2020-01-31 is not a day/,
      ),
      refuse(
        data,
        "keys create --env test --name a --expires 2999-02-30",
        /2999-02-30 is not a day/,
      ),
      refuse(data, "printers ports --allow 4000,0", /--allow must be at most 20 ports/),
      refuse(data, "brands pause --env test", /needs a BRAND/),
      refuse(data, "brands resume --env test", /needs a BRAND/),
      refuse(data, "sandbox start", /needs --ephemeral/),
      refuse(data, "sandbox start --ephemeral --port 65536", /--port must be at most 65535/),
      refuse(data, "sandbox start --ephemeral --wallet lots", /--wallet must be a whole number/),
      refuse(data, "sandbox speed 60 --url shop --key k", /--url must be an address, not "shop"/),
      refuse(data, "sandbox speed 60 --url http://a/", /--key is required/),
      refuse(data, "conformance shop", /needs the URL of a gateway/),
      refuse(data, "conformance http://127.0.0.1:9/", /--key is required/),
      refuse(data, "mcp --key k", /--url is required/),
      refuse(data, "mcp --url shop --key k", /--url must be an address, not "shop"/),
      refuse(data, "mcp --url http://a/ --key-file /none", /--key-file cannot be read/),
      refuse(data, "keys revoke", /needs a KEY_ID/),
      refuse(data, "keys revoke nobody", /no key nobody in use/),
      refuse(data, "keys revoke one two", /Unexpected argument "two"/),
      // Skipped on PostgreSQL: such a shop has no database file in its directory.
      ...(isOnPostgres() ? [] : [refuse(data, `audit --data ${file}`, /There is no shop in/)]),
      refuse(
        await freshPlace(),
        "audit",
        /There is no shop in .*; --data(?:base)? names its (?:directory|address)/,
      ),
      refuse(await freshPlace(), "wallet show --env test", /There is no shop in/),
      refuse(await freshPlace(), "keys list", /There is no shop in/),
    ]);
    const audit = await run(data, "audit --json");
    expect(JSON.parse(audit).figures[0].transactions).toBe(1);
    expect(JSON.parse(await run(data, "keys list --json"))).toEqual([]);
    expect(await run(data, "settings get")).toBe(
      `test: queue on\nlive: queue on\nlookup on\n${REST}`,
    );
  });
});

describe("setup", () => {
  const SETUP = "setup --shop Corner_Shop --currency gtq --language es";

  it("creates the shop only once, with the PIN from standard input", {
    tags: ["thorough"],
  }, async () => {
    const data = await freshPlace();
    const line = `${SETUP} --rate 7.75 --owner-name Olga --owner-pin -`;
    const text = await run(data, line, "471183\n");
    expect(text).toBe(
      "Corner Shop is set up in GTQ (rate 7.75), in the time zone UTC. Olga can sign in.",
    );
    await refuse(data, `${SETUP} --owner-pin 471183`, /already/);
    const server = await startServerProcess(data);
    try {
      const { list } = await getJson(`${server.url}/pos/staff/names`);
      expect(list).toEqual([{ staffId: expect.any(String), name: "Olga", role: "owner" }]);
      const signedIn = await fetch(`${server.url}/pos/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ staffId: list[0].staffId, pin: "471183" }),
      });
      expect(signedIn.status).toBe(200);
    } finally {
      await server.kill("SIGTERM");
    }
  });

  it("uses a default exchange rate and name, and prints both as JSON", async () => {
    const data = await freshPlace();
    const output = await run(
      data,
      `${SETUP} --owner-pin 471183 --time-zone America/Guatemala --json`,
    );
    expect(JSON.parse(output)).toEqual({
      shopName: "Corner Shop",
      currency: "GTQ",
      rate: expect.stringMatching(/^\d+(\.\d+)?$/),
      timeZone: "America/Guatemala",
      owner: { staffId: expect.any(String), name: "Propietario", role: "owner" },
    });
    expect(output).not.toContain("471183");
  });

  it("refuses the same values as set-up at the till", { tags: ["thorough"] }, async () => {
    const data = await freshPlace();
    await createData(data);
    const long = "x".repeat(41);
    await Promise.all([
      refuse(data, `${SETUP} --owner-pin -`, /--owner-pin must be 6 to 8 digits/, ""),
      refuse(data, `${SETUP} --owner-pin 47118`, /--owner-pin must be 6 to 8 digits/),
      refuse(data, `${SETUP} --owner-pin 471183 --rate 0`, /rate must be more than 0/),
      refuse(data, `${SETUP} --owner-pin 471183 --language de`, /--language must be one of/),
      refuse(data, `${SETUP} --owner-pin 471183 --currency ZZZ`, /currency is not an ISO 4217/),
      refuse(
        data,
        `${SETUP} --owner-pin 471183 --owner-name ${long}`,
        /--owner-name must be 1 to 40/,
      ),
    ]);
  });
});

async function getJson(url: string, key?: string) {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return (await fetch(url, { headers })).json();
}

describe("commands beside a running gateway", () => {
  let data: Place;
  let server: ServerProcess;
  beforeAll(async () => {
    data = await freshPlace();
    server = await startServerProcess(data);
  });
  afterAll(() => server.kill("SIGTERM"));

  it("keys create prints only the key, and keys revoke takes effect at once", async () => {
    const key = await run(data, "keys create --env test --name Web_shop");
    expect(key).toMatch(/^test_[\w-]{43}$/);
    const balance = `${server.url}/v1/balance`;
    expect((await getJson(balance, key)).availableBalance).toBe(100_000);

    // The gateway stores the last use after it has answered.
    const listed = await vi.waitUntil(async () => {
      const keys: { hint: string; lastUsedAt?: string; keyId: string }[] = JSON.parse(
        await run(data, "keys list --json"),
      );
      return keys.find(({ hint, lastUsedAt }) => key.startsWith(hint) && lastUsedAt);
    }, 20_000);
    expect(listed).toEqual({
      keyId: expect.any(String),
      environment: "test",
      name: "Web shop",
      hint: key.slice(0, 10),
      scopes: ["read", "sell", "reports"],
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: expect.stringMatching(/Z$/),
    });
    const table = await run(data, "keys list");
    expect(table).toContain("Web shop");
    expect(table).not.toContain(key);

    const { keyId } = listed;
    expect(await run(data, `keys revoke ${keyId}`)).toBe(`Revoked ${keyId}.`);
    expect((await getJson(balance, key)).errorCode).toBe("NOT_AUTHORIZED");
    await refuse(data, `keys revoke ${keyId}`, /no key .* in use/);
    const after = JSON.parse(await run(data, "keys list --json"));
    expect(after).toContainEqual(
      expect.objectContaining({ keyId, revokedAt: expect.stringMatching(/Z$/) }),
    );
  });

  it("keys create --allow limits the key to the given addresses", async () => {
    const [inside, outside] = await Promise.all([
      run(data, "keys create --env live --name here --allow 10.0.0.1,127.0.0.0/8"),
      run(data, "keys create --env live --name there --allow 10.0.0.0/24,2001:db8::/32 --json"),
    ]);
    const balance = `${server.url}/v1/balance`;
    expect(inside).toMatch(/^live_/);
    expect((await getJson(balance, inside)).availableBalance).toBe(0);
    const { key } = JSON.parse(outside) as { key: string };
    expect((await getJson(balance, key)).errorCode).toBe("FORBIDDEN");
  });

  it("keys create --scopes and --expires limit the key, and keys list shows both", async () => {
    const line = "keys create --env test --name reader --scopes reports,read --expires 2999-12-31";
    const key = await run(data, line);
    expect((await getJson(`${server.url}/v1/balance`, key)).availableBalance).toBeGreaterThan(0);
    const purchase = await getJson(`${server.url}/v1/topups/purchases/none`, key);
    expect(purchase.errorCode).toBe("FORBIDDEN");
    const table = await run(data, "keys list");
    expect(table).toMatch(/reader .* read,reports .* (2999-12-31|3000-01-01)T/);
  });

  it("wallet set changes the gateway's balance and transaction lists at once", async () => {
    const key = await run(data, "keys create --env test --name wallet");
    expect(await run(data, "wallet show --env test")).toMatch(/^1000\.00 USD available, 0\.00 USD/);
    expect(await run(data, "wallet set --env test --amount 12345")).toMatch(/^123\.45 USD/);
    expect((await getJson(`${server.url}/v1/balance`, key)).availableBalance).toBe(12_345);
    const shown = JSON.parse(await run(data, "wallet show --env test --json"));
    expect(shown).toEqual({ available: 12_345, held: 0, currency: "USD", currencyDivisor: 100 });
    const { list } = await getJson(`${server.url}/v1/transactions?_limit=5&_offset=0`, key);
    expect(list[0]).toMatchObject({
      type: "DEBIT",
      productType: "RECHARGE_SANDBOX",
      amount: 87_655,
    });
    await run(data, "wallet set --env test --amount 0");
    expect((await getJson(`${server.url}/v1/balance`, key)).availableBalance).toBe(0);
  });

  it("settings set changes only one environment", async () => {
    expect(await run(data, "settings get --env test")).toBe(`queue on\nlookup on\n${REST}`);
    expect(await run(data, "settings set --env test --queue off")).toBe(
      `queue off\nlookup on\n${REST}`,
    );
    expect(JSON.parse(await run(data, "settings get --env test --json"))).toEqual({
      queueEnabled: false,
      lookupEnabled: true,
      idleLockMinutes: 3,
      keepNumbersDays: 0,
      timeZone: MACHINE_ZONE,
      cashStep: 0,
      confirmNumber: "NEVER",
      dayStartsAt: 0,
      receipt: { address: [], support: [] },
    });
    expect(await run(data, "settings get --env live")).toBe(`queue on\nlookup on\n${REST}`);
    await run(data, "settings set --env test --queue on");
  });

  it("settings set --lookup takes effect in the running gateway, in both environments", async () => {
    const key = await run(data, "keys create --env test --name lookup");
    const path = `${server.url}/v1/tools/phonenumberlookup/+50231234567`;
    expect((await getJson(path, key)).brand).toBe("Claro");
    const off = await run(data, "settings set --lookup off");
    expect(off).toBe(`test: queue on\nlive: queue on\nlookup off\n${REST}`);
    expect((await getJson(path, key)).errorCode).toBe("LOOKUP_NOT_ENABLED");
    expect(await run(data, "settings get --env live")).toBe(`queue on\nlookup off\n${REST}`);
    const both = await run(data, "settings set --env live --queue off --lookup on --json");
    expect(JSON.parse(both)).toMatchObject({ queueEnabled: false, lookupEnabled: true });
    expect(JSON.parse(await run(data, "settings get --json"))).toEqual({
      lookupEnabled: true,
      idleLockMinutes: 3,
      keepNumbersDays: 0,
      timeZone: MACHINE_ZONE,
      cashStep: 0,
      confirmNumber: "NEVER",
      dayStartsAt: 0,
      receipt: { address: [], support: [] },
      environments: { test: { queueEnabled: true }, live: { queueEnabled: false } },
    });
    expect((await getJson(path, key)).brand).toBe("Claro");
    await run(data, "settings set --env live --queue on");

    const db = await openPlace(data);
    const trail = await db
      .selectFrom("audit_trail")
      .select(["staff_id", "subject", "detail_json"])
      .where("detail_json", "like", "%lookupEnabled%")
      .execute();
    await db.destroy();
    expect(trail).toEqual([
      {
        staff_id: null,
        subject: "default",
        detail_json: '{"lookupEnabled":false,"lookupEnabled.was":true}',
      },
      {
        staff_id: null,
        subject: "default",
        detail_json: '{"lookupEnabled":true,"lookupEnabled.was":false}',
      },
    ]);
  });

  it("settings set --idle-lock and --time-zone take effect at the tills at once", async () => {
    const changed = await run(data, "settings set --idle-lock 0 --time-zone asia/tokyo");
    expect(changed).toMatch(
      /\nidle lock off\nPINs and codes kept 90 days\ncustomers' numbers kept for good\ntime zone Asia\/Tokyo\n/,
    );
    const status = await getJson(`${server.url}/pos/status`);
    expect(status).toMatchObject({ idleLockMinutes: 0, timeZone: "Asia/Tokyo" });
  });

  it("settings set --keep-pins changes the days until PINs are deleted, and a repeat records no change", async () => {
    for (const _ of ["first", "repeat"]) {
      const changed = await run(data, "settings set --keep-pins 30");
      expect(changed).toContain("\nPINs and codes kept 30 days\n");
    }
    const db = await openPlace(data);
    const trail = await db
      .selectFrom("audit_trail")
      .select("detail_json")
      .where("detail_json", "like", "%keepDetailsDays%")
      .execute();
    await db.destroy();
    expect(trail).toEqual([{ detail_json: '{"keepDetailsDays":30,"keepDetailsDays.was":90}' }]);
  });

  it("settings set writes and removes the receipt's address and support lines", async () => {
    await run(data, "settings set --receipt-address Zona_1");
    const both = await run(data, "settings set --receipt-support 2222-3333|Lun-Sab");
    expect(both).toMatch(/\nreceipt address Zona 1\nreceipt support 2222-3333 \| Lun-Sab$/);
    expect(await run(data, "settings set --receipt-address | --receipt-support |")).toMatch(
      new RegExp(`\n${NO_TEXT}$`),
    );
  });
});

describe("staff pin", () => {
  it("replaces a forgotten PIN of an owner, and unlocks the owner", {
    tags: ["thorough"],
  }, async () => {
    const data = await freshPlace();
    await run(
      data,
      "setup --shop S --currency USD --language en --owner-name Olga --owner-pin 471183",
    );
    const server = await startServerProcess(data);
    const [{ staffId }] = JSON.parse(await run(data, "staff list --json"));
    async function signIn(pin: string): Promise<number> {
      const body = JSON.stringify({ staffId, pin });
      const headers = { "content-type": "application/json" };
      return (await fetch(`${server.url}/pos/session`, { method: "POST", headers, body })).status;
    }
    for (let wrong = 0; wrong < 5; wrong++) await signIn("0000");
    expect(await signIn("471183")).toBe(429);
    expect(await run(data, `staff pin ${staffId} --pin -`, "975318\n")).toBe("Olga has a new PIN.");
    expect(await signIn("975318")).toBe(200);
    expect(await signIn("471183")).toBe(401);
    await refuse(data, "staff pin nobody --pin 1234", /nobody with that id/);
    await server.kill("SIGTERM");
  });
});

describe("audit", () => {
  it("exits with 0 if the books are in order, otherwise with 1", async () => {
    const data = await freshPlace();
    await createData(data);
    const text = await run(data, "audit");
    expect(text).toMatch(/^test: available 1000\.00 USD/);
    expect(text).toMatch(/The books are in order\.$/);
    expect(text).not.toContain("FAIL");

    const db = await openPlace(data);
    await sql`update ledger_accounts set balance = balance - 1
      where name = 'wallet.available' and environment = 'test'`.execute(writerOf(db));
    await db.destroy();
    const broken = await tillgate(data, "audit");
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toBe("");
    expect(broken.stdout).toContain("FAIL every balance is the sum of its entries");
    expect(broken.stdout).toMatch(/The books are NOT in order\.\n$/);
    const report = await tillgate(data, "audit --json");
    expect(report.exitCode).toBe(1);
    expect(JSON.parse(report.stdout).clean).toBe(false);
  });
});
