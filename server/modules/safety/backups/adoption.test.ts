import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseFile } from "../../../db/database-files.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../../../testing/server-process.ts";

const OWNER_PIN = "471183";
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-adoption-"));
});
afterAll(() => rmSync(root, { recursive: true }));

async function post(
  { url }: ServerProcess,
  path: string,
  body: object,
  cookie = "",
): Promise<Response> {
  return fetch(`${url}/pos${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });
}

async function sellAs(server: ServerProcess, staffId: string): Promise<void> {
  const session = await post(server, "/session", { staffId, pin: OWNER_PIN });
  const cookie = session.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const offerId = "TIGO_GT_TOPUP_25";
  expect((await post(server, "/shifts", { shiftId: randomUUID(), float: 0 }, cookie)).ok).toBe(
    true,
  );
  const quote = await post(server, "/quotes", { offerId }, cookie);
  const { price } = (await quote.json()) as { price: number };
  const transactionId = randomUUID();
  const recipientPhoneNumber = "+50251239001";
  const line = { productType: "TOPUP", transactionId, offerId, recipientPhoneNumber, price };
  const sale = {
    saleId: randomUUID(),
    lines: [line],
    tenders: [{ kind: "CASH", tendered: price }],
  };
  const answer = await post(server, "/sales", sale, cookie);
  expect(answer.ok, await answer.text()).toBe(true);
}

it("adoption shows the shop in a stopped Tillgate's data directory, and copies it to an empty directory", {
  tags: ["thorough"],
}, async () => {
  const [old, here] = [join(root, "clone"), join(root, "installed")];
  const before = await startServerProcess(old);
  const shop = { shopName: "Sol", currency: "USD", language: "es", ownerPin: OWNER_PIN };
  const setUp = await post(before, "/setup", shop);
  const { staff } = (await setUp.json()) as { staff: { staffId: string } };
  const running = await typeCommand(here, ["adopt", "copy", old]);
  expect(running.stderr).toContain("close it first. Nothing was copied.");
  await before.kill("SIGTERM");
  const was = readFileSync(databaseFile(old));

  const looked = await typeCommand(here, ["adopt", "look", old]);
  expect(looked.stdout).toContain('holds the shop "Sol", sales: 0.');
  expect(existsSync(databaseFile(here))).toBe(false);
  // Simulates a copy that a power failure interrupted.
  writeFileSync(`${databaseFile(here)}.copying`, "half");
  const copied = await typeCommand(here, ["adopt", "copy", old]);
  expect(copied).toMatchObject({ exitCode: 0, stderr: "" });
  expect(existsSync(`${databaseFile(here)}.copying`)).toBe(false);
  expect(readFileSync(databaseFile(old))).toEqual(was);

  const after = await startServerProcess(here);
  const status = await (await fetch(`${after.url}/pos/status`)).json();
  expect(status).toMatchObject({ setUp: true, shopName: "Sol" });
  // The sign-in shows that the key for the PIN's hash was copied.
  expect((await post(after, "/session", { staffId: staff.staffId, pin: OWNER_PIN })).status).toBe(
    200,
  );
  await after.kill("SIGTERM");
});

it("adoption refuses a directory without a usable shop with a reason, and copies nothing", {
  tags: ["thorough"],
}, async () => {
  const [old, here] = [join(root, "damaged"), join(root, "empty")];
  const nothing = await typeCommand(here, ["adopt", "look", join(root, "nowhere")]);
  expect(nothing.stderr).toContain("it has no tillgate.db");
  const before = await startServerProcess(old);
  await before.kill("SIGTERM");
  writeFileSync(databaseFile(old), "not a database".repeat(500));
  const damaged = await typeCommand(here, ["adopt", "copy", old]);
  expect(damaged.exitCode).toBe(1);
  expect(damaged.stderr).toContain("Nothing was copied.");
  expect(existsSync(databaseFile(here))).toBe(false);
});

it("adoption moves aside a target shop without sales, and refuses to replace a shop with sales", {
  tags: ["thorough"],
}, async () => {
  const [old, here] = [join(root, "from-clone"), join(root, "service")];
  const shop = { shopName: "Sol", currency: "USD", language: "es", ownerPin: OWNER_PIN };
  const before = await startServerProcess(old);
  const setUp = await post(before, "/setup", shop);
  const { staff } = (await setUp.json()) as { staff: { staffId: string } };
  await before.kill("SIGTERM");
  const begun = await startServerProcess(here);
  const running = await typeCommand(here, ["adopt", "copy", old]);
  expect(running.stderr).toContain("stop it first, a service with: sudo systemctl stop tillgate.");
  await begun.kill("SIGTERM");

  const copied = await typeCommand(here, ["adopt", "copy", old]);
  expect(copied).toMatchObject({ exitCode: 0, stderr: "" });
  const [, kept = ""] = /is kept in (\S+)/.exec(copied.stdout) ?? [];
  expect(existsSync(databaseFile(kept))).toBe(true);
  const after = await startServerProcess(here);
  await sellAs(after, staff.staffId);
  await after.kill("SIGTERM");
  const was = readFileSync(databaseFile(here));
  const refused = await typeCommand(here, ["adopt", "copy", old]);
  expect(refused.stderr).toContain("which has sold. Nothing was copied.");
  expect(readFileSync(databaseFile(here))).toEqual(was);
});
