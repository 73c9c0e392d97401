import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { type MailServerInTest, startMailServer } from "../../../testing/mail-server.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let server: MailServerInTest;
let folder: string;
let freeBytes: number;
const GB = 1024 ** 3;

beforeEach(async () => {
  freeBytes = 100 * GB;
  till = await startTestGateway({ readFreeBytes: async () => freeBytes });
  owner = await openTill(till);
  server = await startMailServer();
  folder = mkdtempSync(join(tmpdir(), "tillgate-folder-"));
  await setServer();
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const setServer = (change: object = {}) =>
  owner.pos("PUT", "/mail", {
    host: "127.0.0.1",
    port: server.port,
    security: "NONE",
    user: "shop",
    password: "secret",
    from: "shop@example.com",
    ...change,
  });

const OLGA = { address: "olga@example.com", language: "en", kinds: ["WALLET", "DISK"] };
const setMail = (list: object[]) => owner.pos("PUT", "/alert-mail", { list });
const setBalance = (available: number) => owner.pos("PUT", "/wallet/test-balance", { available });

async function look(after = 0): Promise<void> {
  await till.advance(after);
  await till.gateway.context.alertRounds.look();
  await till.settle();
}
async function signInAgain(): Promise<void> {
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
}
const readText = (index: number) =>
  (server.mails[index]?.source ?? "").replaceAll("=\r\n", "").replaceAll("=C2=A0", " ");

it("alerts of a kind that a newer version adds are also mailed to earlier recipients", async () => {
  await setMail([OLGA]);
  const { db } = till.gateway.context;
  // Simulates recipients saved by a version without the kind WRONG_PINS.
  const { value_json } = await db
    .selectFrom("settings")
    .select("value_json")
    .where("name", "=", "alert_mail")
    .executeTakeFirstOrThrow();
  const setKnown = (knownKinds: string[] | undefined) =>
    writerOf(db)
      .updateTable("settings")
      .set({ value_json: JSON.stringify({ ...JSON.parse(value_json), knownKinds }) })
      .where("name", "=", "alert_mail")
      .execute();
  await setKnown(["WALLET", "DISK", "RATE"]);
  const { kinds } = (await owner.pos("GET", "/alert-mail")).body.list[0];
  expect(kinds).toEqual(expect.arrayContaining(["WALLET", "DISK", "WRONG_PINS"]));
  expect(kinds).not.toContain("RATE");
  await setKnown(undefined);
  const kindsOfOld = (await owner.pos("GET", "/alert-mail")).body.list[0].kinds;
  expect(kindsOfOld).toEqual(expect.arrayContaining([...OLGA.kinds, "PROVIDER_ANSWERS"]));
  expect(kindsOfOld).not.toContain("RATE");
});

it("an alert is mailed once to each recipient of its kind, and a burst of alerts shares a mail", async () => {
  const eva = { address: "eva@example.com", language: "fr", kinds: ["WRONG_PINS"] };
  expect((await setMail([OLGA, eva])).status).toBe(200);
  freeBytes = 1 * GB;
  await look();
  await setBalance(0);
  await look(30 * SECOND);
  expect(server.mails).toEqual([]);
  await look(31 * SECOND);
  expect(server.mails.map(({ to }) => to)).toEqual([["olga@example.com"]]);
  const text = readText(0);
  expect(text).toContain("Subject: Corner Shop: Alerts: 2");
  expect(text).toContain("The wallet is empty: nothing can be sold (test): $0.00");
  expect(text).toContain("- The disk is nearly full");
  await look(HOUR);
  await till.restart();
  await signInAgain();
  await look(HOUR);
  expect(server.mails).toHaveLength(1);
});

it("a worsened alert is mailed again, but at least ten minutes after the previous mail", async () => {
  await setMail([OLGA]);
  await owner.pos("PUT", "/wallet/alert", { environment: "test", lowAmount: 1_000 });
  await setBalance(500);
  await look();
  await look(MINUTE);
  expect(readText(0)).toContain("The wallet is low (test): $5.00");
  await setBalance(0);
  await look(MINUTE);
  await look(5 * MINUTE);
  expect(server.mails).toHaveLength(1);
  await look(5 * MINUTE);
  expect(server.mails).toHaveLength(2);
  await setBalance(400);
  await look(HOUR);
  await setBalance(0);
  await look(HOUR);
  expect(server.mails).toHaveLength(2);
});

it("an alert is not mailed if it is resolved or silenced before the mail, or has no recipient", async () => {
  await setMail([OLGA]);
  freeBytes = 1 * GB;
  await look();
  freeBytes = 9 * GB;
  await look(2 * MINUTE);
  freeBytes = 1 * GB;
  await look();
  const [{ alertId }] = (await owner.pos("GET", "/alerts")).body.open;
  await owner.pos("PUT", `/alerts/${alertId}/silence`, { on: true });
  await look(2 * MINUTE);
  await setMail([]);
  await setBalance(0);
  await look();
  await look(2 * MINUTE);
  await setMail([OLGA]);
  await look(HOUR);
  expect(server.mails).toEqual([]);
});

it("an alert mail waits for the mail server and is sent once; undelivered mail opens an alert", {
  tags: ["thorough"],
}, async () => {
  await setMail([OLGA]);
  server.refuse("450 try again later");
  freeBytes = 1 * GB;
  await look();
  await look(MINUTE);
  await look(11 * MINUTE);
  const causes = async () =>
    (await owner.pos("GET", "/alerts")).body.open.map(({ cause }: { cause: string }) => cause);
  expect(await causes()).toEqual(["DISK", "MAIL"]);
  server.refuse(undefined);
  await look(HOUR);
  expect(server.mails).toHaveLength(1);
  expect(await causes()).toEqual(["DISK"]);
});

it("an alert mail about wrong PINs or an undelivered report contains no name, PIN, folder or error text", async () => {
  await setMail([{ ...OLGA, kinds: ["WRONG_PINS", "REPORT"] }]);
  const ana = { name: "Ana Secret", role: "clerk", pin: "258346" };
  const { staffId } = (await owner.pos("POST", "/staff", ana)).body;
  for (let n = 0; n < 5; n++) {
    await till.call("POST", "/pos/session", { body: { staffId, pin: "999111" } });
  }
  const blocked = join(folder, "file");
  writeFileSync(blocked, "");
  const kind = { kind: "SOLD", format: "CSV", when: "DAILY", at: "07:00", language: "en" };
  const report = {
    ...kind,
    name: "Days",
    recipients: [],
    folder: join(blocked, "in"),
    enabled: true,
  };
  await owner.pos("PUT", "/report-schedules/days", report);
  await owner.pos("POST", "/report-schedules/days/runs");
  await look(SECOND);
  await look(MINUTE);
  const text = readText(0);
  expect(text).toContain("- Wrong PINs: 5");
  expect(text).toContain("- A report could not be delivered");
  for (const word of ["Ana", "999111", folder, "ENOTDIR"]) expect(text).not.toContain(word);
  rmSync(blocked);
  mkdirSync(report.folder, { recursive: true });
  await look(HOUR);
  const { open, resolved } = (await owner.pos("GET", "/alerts")).body;
  expect(open.map(({ cause }: { cause: string }) => cause)).toEqual(["WRONG_PINS"]);
  expect(resolved).toMatchObject([{ cause: "REPORT", facts: { name: "Days" } }]);
});

it.each([
  ["an address that is none", { address: "olga" }, "list.0.address"],
  ["no kind", { kinds: [] }, "list.0.kinds"],
  ["a kind that mail cannot tell of", { kinds: ["MAIL"] }, "list.0.kinds.0"],
])("mail recipients with %s cause an error with the field's name", async (_, change, field) => {
  const refused = await setMail([{ ...OLGA, ...change }]);
  expect(refused).toMatchObject({ status: 400, body: { errorCode: "INVALID_REQUEST" } });
  expect(Object.keys(refused.body.fields)).toEqual([field]);
});
