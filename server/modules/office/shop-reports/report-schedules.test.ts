import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { readKept } from "../../../testing/kept-bytes.ts";
import { type MailServerInTest, startMailServer } from "../../../testing/mail-server.ts";
import { readPdf } from "../../../testing/read-pdf.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

/** Uses a real mail server and a real folder. */
let till: TestGateway;
let owner: TestTill;
let server: MailServerInTest;
let folder: string;

beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const settings = (await owner.pos("GET", "/settings")).body;
  await owner.pos("PUT", "/settings", { ...settings, timeZone: "UTC" });
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

const save = (change: object = {}) =>
  owner.pos("PUT", "/report-schedules/end-of-day", {
    name: "End of day",
    kind: "SOLD",
    format: "CSV",
    when: "DAILY",
    at: "07:00",
    recipients: ["olga@example.com"],
    folder: "",
    language: "en",
    enabled: true,
    ...change,
  });

/** Signs in again, because the previous session has expired. */
async function signInAgain(): Promise<void> {
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
}

const sellOne = () =>
  owner.sell([{ offerId: "TIGO_GT_TOPUP_50", recipientPhoneNumber: "+50251234567" }]);

const plain = (source: string) => source.replaceAll("=\r\n", "");

it("a scheduled report is mailed once a day with its file and the day's figures", {
  tags: ["thorough"],
}, async () => {
  await sellOne();
  expect(await save()).toMatchObject({
    status: 200,
    body: { nextAt: "2026-01-16T07:00:00.000Z", environment: "test" },
  });
  await till.advance(DAY);
  expect(server.mails).toHaveLength(1);
  const [mail] = server.mails;
  expect(mail?.to).toEqual(["olga@example.com"]);
  const text = plain(mail?.source ?? "");
  expect(text).toContain("Subject: Corner Shop (test): End of day, 2026-01-15");
  expect(text).toMatch(/Sales: 1\s/);
  expect(text).toContain("test-sold-2026-01-15-csv.csv");
  await till.advance(DAY);
  expect(server.mails).toHaveLength(2);
  await signInAgain();
  expect((await owner.pos("GET", "/mail")).body.list).toMatchObject([
    { state: "SENT", recipients: ["olga@example.com"] },
    { state: "SENT" },
  ]);
});

it("for days on which the machine was off, a scheduled report is sent once, for the latest period", async () => {
  await save();
  till.clock.set(till.clock.now() + 5 * DAY);
  await till.settle();
  expect(server.mails).toHaveLength(1);
  expect(plain(server.mails[0]?.source ?? "")).toContain("End of day, 2026-01-19");
});

it("closing the last open shift sends a report that is due after the last Z report", async () => {
  await sellOne();
  await save({ when: "AFTER_LAST_Z", at: "23:30" });
  await till.advance(HOUR);
  expect(server.mails).toEqual([]);
  const { shiftId } = (await owner.pos("GET", "/shifts/current")).body.shift;
  const { expectedCash } = (await owner.pos("GET", `/shifts/${shiftId}/x`)).body;
  const closed = await owner.pos("POST", `/shifts/${shiftId}/close`, { counted: expectedCash });
  expect(closed.status).toBe(200);
  await till.advance(6 * MINUTE);
  expect(server.mails).toHaveLength(1);
  expect(plain(server.mails[0]?.source ?? "")).not.toContain("not closed");
  await till.advance(DAY / 2);
  expect(server.mails).toHaveLength(1);
});

it("a report that is scheduled after the last Z report can be the day's document in the language of the mail", {
  tags: ["thorough"],
}, async () => {
  await sellOne();
  const day = { kind: "DAY", format: "PDF", when: "AFTER_LAST_Z", at: "23:30", language: "es" };
  expect((await save(day)).status).toBe(200);
  await till.advance(MINUTE);
  const { shiftId } = (await owner.pos("GET", "/shifts/current")).body.shift;
  const { expectedCash } = (await owner.pos("GET", `/shifts/${shiftId}/x`)).body;
  const closed = await owner.pos("POST", `/shifts/${shiftId}/close`, { counted: expectedCash });
  expect(closed.status).toBe(200);
  await till.advance(6 * MINUTE);
  expect(server.mails).toHaveLength(1);
  const { source = "" } = server.mails[0] ?? {};
  expect(source).toMatch(/Content-Type: application\/pdf; name=test-Corner-Shop-2026-01-15\.pdf/);
  const [, encoded = ""] = source.split(/filename=test-Corner-Shop-2026-01-15\.pdf\s+/);
  const content = Buffer.from(encoded.split("\r\n--")[0] ?? "", "base64");
  const cells = (await readPdf(content, "ltr")).pages.flat().flat();
  expect(cells).toContain("PRUEBA: nada de esto es real");
  expect(cells).toContain("Turnos cerrados este día");
  expect(cells.find((text) => text.endsWith("automáticamente: End of day"))).toBeDefined();
});

it("a scheduled report is sent on time despite an open shift, and names its clerk", async () => {
  await sellOne();
  await save({ when: "AFTER_LAST_Z", at: "22:30" });
  await till.advance(14 * HOUR);
  expect(server.mails).toHaveLength(1);
  expect(plain(server.mails[0]?.source ?? "")).toContain("Shifts not closed yet: Olga");
});

it("a scheduled report waits for an unavailable mail server, shows the reason, and is sent once", async () => {
  server.refuse("450 try again later");
  await save();
  await owner.pos("POST", "/report-schedules/end-of-day/runs");
  await till.settle();
  const [waiting] = (await owner.pos("GET", "/mail")).body.list;
  expect(waiting).toMatchObject({ state: "WAITING" });
  expect(waiting.fault).toContain("try again later");
  const trail = await owner.pos("GET", "/audit-trail?action=report.request&limit=1");
  expect(trail.body.list[0]).toMatchObject({
    staff: { name: "Olga" },
    detail: { name: "End of day", to: "olga@example.com" },
  });
  server.refuse(undefined);
  await till.advance(10 * MINUTE);
  expect(server.mails).toHaveLength(1);
  expect((await owner.pos("GET", "/mail")).body.list[0]).toMatchObject({ state: "SENT" });
});

it("a scheduled report is abandoned and shown as failed after three days", async () => {
  await setServer({ password: "wrong" });
  await save();
  await owner.pos("POST", "/report-schedules/end-of-day/runs");
  await till.settle();
  expect((await owner.pos("GET", "/mail")).body.list[0].state).toBe("WAITING");
  till.clock.set(till.clock.now() + 3 * DAY + HOUR);
  await till.settle();
  await signInAgain();
  const { list } = (await owner.pos("GET", "/mail")).body;
  expect(list.at(-1)).toMatchObject({ state: "FAILED" });
  expect(server.mails).toEqual([]);
});

it("a scheduled report that cannot be created is mailed with the figures and the reason, without a file", async () => {
  await sellOne();
  await till.advance(MINUTE);
  await save({ kind: "BOOKS", format: "QUICKBOOKS", when: "WEEKLY" });
  till.clock.set(Date.parse("2026-01-19T07:00:00Z"));
  await till.settle();
  expect(server.mails).toHaveLength(1);
  const text = plain(server.mails[0]?.source ?? "");
  expect(text).toContain("End of day: 2026-01-12 =E2=80=93 2026-01-18 (UTC)");
  expect(text).toMatch(/Sales: 1\s/);
  expect(text).toContain("These have no account yet: CASH");
  expect(text).not.toContain(".csv");
  await signInAgain();
  const [schedule] = (await owner.pos("GET", "/report-schedules")).body.list;
  expect(schedule.last).toMatchObject({ state: "FAILED" });
});

it.each([
  ["yesterday", "DAILY", "2026-01-14"],
  ["today", "AFTER_LAST_Z", "2026-01-15"],
])("a report sent by hand has the figures of %s if it is scheduled %s", async (_, when, day) => {
  await save({ when, at: "07:00" });
  const sent = await owner.pos("POST", "/report-schedules/end-of-day/runs");
  expect(sent).toMatchObject({ status: 200, body: { firstDay: day, lastDay: day } });
});

it("a report is copied to a folder under a fixed name; the gateway reports a missing folder without creating it, and retries the copy", async () => {
  const stick = join(folder, "stick", "reports");
  await save({ recipients: [], folder: stick });
  await owner.pos("POST", "/report-schedules/end-of-day/runs");
  await till.settle();
  const [schedule] = (await owner.pos("GET", "/report-schedules")).body.list;
  expect(schedule.fault).toContain(`There is no folder ${stick}. Plug in its disk`);
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(stick, { recursive: true });
  await till.advance(10 * MINUTE);
  const name = "test-sold-2026-01-14-csv.csv";
  expect(readdirSync(stick)).toEqual([name]);
  expect(readFileSync(join(stick, name), "utf8")).toContain("saleNumber");
  expect((await owner.pos("GET", "/report-schedules")).body.list[0].fault).toBeUndefined();
});

it.each([
  ["nobody and no place", { recipients: [] }, "recipients"],
  ["a folder that is no whole path", { folder: "reports" }, "folder"],
  ["a format of another kind", { format: "XERO" }, "format"],
  ["the document of a day for a week", { kind: "DAY", format: "PDF", when: "WEEKLY" }, "when"],
])("a schedule with %s causes an error that names the field", async (_, change, field) => {
  const refused = await save(change);
  expect(refused).toMatchObject({ status: 400, body: { errorCode: "INVALID_REQUEST" } });
  expect(Object.keys(refused.body.fields)).toEqual([field]);
  expect((await owner.pos("GET", "/report-schedules")).body.list).toEqual([]);
});

it("a schedule that is switched off or removed creates no report", async () => {
  await save({ enabled: false });
  await till.advance(2 * DAY);
  await signInAgain();
  await save();
  expect((await owner.pos("DELETE", "/report-schedules/end-of-day")).status).toBe(200);
  await till.advance(2 * DAY);
  expect(server.mails).toEqual([]);
  await signInAgain();
  expect((await owner.pos("DELETE", "/report-schedules/end-of-day")).status).toBe(404);
  expect((await owner.pos("POST", "/report-schedules/end-of-day/runs")).status).toBe(404);
});

it("the password of a mail server is sealed, and no response contains it", async () => {
  const { server: shown } = (await owner.pos("GET", "/mail")).body;
  expect(shown).toMatchObject({ host: "127.0.0.1", hasPassword: true });
  expect(JSON.stringify(shown)).not.toContain("secret");
  const kept = await readKept(till);
  expect(kept).toContain("127.0.0.1");
  for (const password of ["secret\u0000", '"secret"']) expect(kept).not.toContain(password);
});

it.each([{ host: "mail.example.com" }, { port: 2525 }, { security: "TLS" }, { user: "owner" }])(
  "a change of the mail server requires the password again: %j",
  async (change) => {
    const other = await setServer({ ...change, password: undefined });
    expect(other).toMatchObject({ status: 400, body: { errorCode: "INVALID_REQUEST" } });
    expect(Object.keys(other.body.fields)).toEqual(["password"]);
    expect((await owner.pos("GET", "/mail")).body.server).toMatchObject({ host: "127.0.0.1" });
    const kept = await setServer({ from: "owner@example.com", password: undefined });
    expect(kept.body.server).toMatchObject({ from: "owner@example.com", hasPassword: true });
  },
);

it("a test mail returns the result of its delivery", async () => {
  const sent = await owner.pos("POST", "/mail/test", { to: "olga@example.com" });
  expect(sent.body).toEqual({ isSent: true });
  await setServer({ password: "wrong" });
  const refused = await owner.pos("POST", "/mail/test", { to: "olga@example.com" });
  expect(refused.body.isSent).toBe(false);
  expect(refused.body.fault).toContain("wrong name or password");
  const trail = (await owner.pos("GET", "/audit-trail?limit=50")).body.list;
  const tests = trail.filter(({ action }: { action: string }) => action.startsWith("mail.test"));
  expect(tests.map(({ action }: { action: string }) => action)).toEqual([
    "mail.test-failed",
    "mail.test",
  ]);
  await owner.pos("DELETE", "/mail");
  expect((await owner.pos("POST", "/mail/test", { to: "olga@example.com" })).status).toBe(404);
});
