import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../lib/clock.ts";
import { markAskedForADay } from "../testing/asked-for-a-day.ts";
import { type Finished, typeCommand } from "../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { setUpTill, type TestTill } from "../testing/test-till.ts";

/** Commands of the guides for owners and operators, except those about PostgreSQL. */
const RUN_THE_SHOP = readCommands("run-the-shop.md");
const OPERATE = readCommands("operate.md");
const typed = new Set<string>();

/** @returns the arguments of each `tillgate` command in the guide's shell blocks */
function readCommands(name: string): string[] {
  const guide = readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
  const [text = ""] = guide.split("\n## PostgreSQL\n");
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block = ""]) => block);
  const command = /^ *npm run -s tillgate -- (.+)$/gm;
  return blocks.flatMap((block) => [...block.matchAll(command)].map(([, args = ""]) => args));
}

/** Splits arguments as a shell does. The guides use only double quotes. */
function split(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

let office: TestGateway;
let shop: TestGateway;
let owner: TestTill;
let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-guides-"));
  const noAnswer = () => Promise.reject(new Error("no answer"));
  const live = {
    submit: noAnswer,
    inquire: noAnswer,
    refund: noAnswer,
    readEsim: noAnswer,
    findBill: noAnswer,
  };
  office = await startTestGateway();
  shop = await startTestGateway({ providers: { live } });
  // Commands use the machine's clock. The purchases without outcomes take a day.
  for (const { clock } of [office, shop]) clock.set(Date.now() - 2 * DAY);
  owner = await setUpTill(shop, { currency: "GTQ", rate: "7.65" });
  writeFileSync(join(root, "office.key"), office.key("test"));
});
afterAll(async () => {
  await shop.close();
  await office.close();
  rmSync(root, { recursive: true, force: true });
});

interface Means {
  /** Replaces a placeholder of the guide. */
  readonly values?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly dataDir?: string;
}

/** Runs the only command of the guides that begins with a text. */
async function type(beginning: string, { values = {}, input, dataDir }: Means = {}) {
  const found = [...RUN_THE_SHOP, ...OPERATE].filter((command) => command.startsWith(beginning));
  expect(found, beginning).toHaveLength(1);
  const [command = ""] = found;
  typed.add(command);
  const args = split(command).map((arg) => values[arg] ?? arg);
  return typeCommand(dataDir ?? shop.dataDir, args, input);
}

function expectDone(finished: Finished): string {
  expect([finished.exitCode, finished.stderr]).toEqual([0, ""]);
  return finished.stdout;
}

async function run(beginning: string, means?: Means): Promise<string> {
  return expectDone(await type(beginning, means));
}

describe("the commands of docs/run-the-shop.md", () => {
  it("set up a shop in an empty folder", async () => {
    const dataDir = join(root, "new-shop");
    mkdirSync(dataDir);
    const output = await run("setup --shop", { dataDir, input: "603914\n" });
    expect(output).toContain("Tienda Sol");
  });

  it("set the test wallet, and read and write a catalog", async () => {
    expect(await run("wallet set --env test")).toContain("1000.00 USD");
    const values = { "catalog.json": join(root, "catalog.json") };
    await run("catalog export --env test", { values });
    expect(await run("catalog import catalog.json --env live", { values })).toContain("live");
  });

  it("pause brands, and settle purchases with unknown outcomes", async () => {
    await run("brands pause TIGO");
    expect(await run("brands list")).toContain("TIGO");
    await run("brands resume TIGO");
    const scope = { accountId: "default", environment: "live", staffId: undefined } as const;
    await shop.gateway.context.recharges.recharge(scope, 100_000);
    for (const transactionId of ["one", "two"]) {
      const recipientPhoneNumber = "+50251234567";
      const purchase = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
      const { status } = await shop.v1("POST", "/topups/purchases", purchase, "live");
      expect(status).toBe(200);
    }
    await shop.advance(MINUTE);
    await markAskedForADay(shop);
    shop.clock.set(shop.clock.now() + DAY);
    await shop.advance(MINUTE);
    expect(await run("reconciliation list")).toContain("two");
    const settle = "reconciliation settle TRANSACTION_ID --env live --outcome";
    await run(`${settle} delivered`, { values: { TRANSACTION_ID: "one" } });
    await run(`${settle} not-delivered`, { values: { TRANSACTION_ID: "two" } });
  });

  it("connect the live provider, and fetch its catalog", async () => {
    const values = { "https://gateway.example": office.url };
    const refused = await type("upstream connect --env live --url https", {
      values,
      input: office.key("test"),
    });
    // The test gateway has no certificate.
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("https://")]);
    const reloadly = await type("upstream connect --env live --kind reloadly", {
      values: { "https://topups.reloadly.com": "https://127.0.0.1:9" },
      input: "secret\n",
    });
    expect([reloadly.exitCode, reloadly.stdout]).toEqual([1, ""]);
    const near = { "http://10.0.0.5:8787": office.url, "office.key": join(root, "office.key") };
    await run("upstream connect --env live --url http://10", { values: near });
    await run("wallet recharge --env live");
    await run("upstream sync --env live");
    for (const name of ["test", "status", "hook"]) await run(`upstream ${name} --env live`);
    await run("upstream secret --env live", { input: "whsec_c2VjcmV0LW9mLXRoaXMtdGVzdA==\n" });
    await run("settings set --rate");
    const live = await type("settings set --till-environment live");
    expect(live.stderr).toContain("The shop cannot sell in live yet:");
    await run("settings set --till-environment test");
  });

  it("add a second provider, and choose between providers", async () => {
    const second = await startTestGateway();
    try {
      const added = await type("upstream add --env live", {
        values: { "https://south.example": second.url },
        input: second.key("test"),
      });
      // The test gateway has no certificate.
      expect([added.exitCode, added.stderr]).toEqual([1, expect.stringContaining("https://")]);
    } finally {
      await second.close();
    }
    expect(await run("upstream list --env live")).toContain(new URL(office.url).host);
    await run("upstream order --env live --providers cheapest");
    const order = await type("upstream order --env live --brand TIGO");
    const pause = await type("upstream pause --env live");
    for (const refused of [order, pause]) {
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("South")]);
    }
    await run("upstream join --env live", { values: { "RLD-88": "CLARO" } });
  });

  it("change people, tenders and receipts, and audit the books", async () => {
    expect(await run("staff list")).toContain(owner.staffId);
    await run("staff pin", { values: { STAFF_ID: owner.staffId }, input: "603914\n" });
    await run("settings tenders");
    await run("settings add-tender");
    await run('settings change-tender --tender "Visa terminal" --place');
    await run('settings change-tender --tender "Visa terminal" --offered');
    await run("settings set --receipt-address");
    expect(await run("settings get")).toContain("12 Calle 4-56");
    await run("audit");
  });
});

describe("the commands of docs/operate.md", () => {
  it("show the state, and make, verify and restore a backup", async () => {
    await run("status");
    expect(await run("metrics token")).toMatch(/\S{20,}/);
    await run("backup now");
    const list = await run("backup list");
    const [name = ""] = /tillgate-\d{8}T\d{6}Z\.backup/.exec(list) ?? [];
    const values = { "tillgate-20261120T120000Z.backup": name };
    await run("backup verify", { values });
    await shop.gateway.close();
    await run("backup restore ", { values });
  });
});

it("every command of both guides is tested", () => {
  // `recovery.test.ts` restores with the words of a recovery sheet.
  const elsewhere = ["restore /media/stick --phrase words.txt"];
  const untested = [...RUN_THE_SHOP, ...OPERATE].filter(
    (command) => !typed.has(command) && !elsewhere.includes(command),
  );
  expect(untested).toEqual([]);
});
