import { afterAll, beforeAll, expect, it } from "vitest";
import { type Finished, typeCommand } from "../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { setUpTill, type TestTill } from "../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await setUpTill(gateway);
});
afterAll(() => gateway.close());

function tillgate(...args: string[]): Promise<Finished> {
  return typeCommand(gateway, ["settings", ...args]);
}

async function run(...args: string[]): Promise<string[]> {
  const finished = await tillgate(...args);
  expect([finished.exitCode, finished.stderr]).toEqual([0, ""]);
  return finished.stdout.trimEnd().split("\n");
}

it("tillgate settings add-tender and change-tender take effect in a running gateway", async () => {
  expect(await run("tenders")).toEqual([
    "Cash   cash   opens the drawer",
    "Card   card",
    "Other  other",
  ]);
  await run("add-tender", "--name", "Visa terminal", "--kind", "card");
  const change = ["change-tender", "--tender", "visa TERMINAL"];
  expect(await run(...change, "--place", "1", "--drawer", "on")).toEqual([
    "Visa terminal  card   opens the drawer",
    "Cash           cash   opens the drawer",
    "Card           card",
    "Other          other",
  ]);
  await run("change-tender", "--tender", "CARD", "--name", "Amex", "--offered", "off");
  const { list } = (await owner.pos("GET", "/tenders")).body;
  expect(list).toMatchObject([
    { name: "Visa terminal", kind: "CARD", opensDrawer: true, offered: true },
    { tenderId: "CASH" },
    { tenderId: "CARD", name: "Amex", offered: false },
    { tenderId: "OTHER" },
  ]);
  const trail = (await owner.pos("GET", "/audit-trail?limit=1")).body.list;
  expect(trail[0]).toMatchObject({ action: "tender.change", detail: { name: "Amex" } });
  expect(trail[0].staff).toBeUndefined();
});

it.each<[string[], RegExp]>([
  [["add-tender", "--name", "A"], /--kind is required/],
  [["add-tender", "--kind", "card"], /--name is required/],
  [["add-tender", "--name", "A", "--kind", "cash"], /--kind must be card or other, not "cash"/],
  [["add-tender", "--name", "A", "--kind", "card", "--drawer", "1"], /--drawer must be on or off/],
  [["add-tender", "--name", "x".repeat(41), "--kind", "card"], /--name must be 1 to 40 visible/],
  [["add-tender", "--name", "cash", "--kind", "card"], /list\.4\.name: is taken|list\.4\.name/],
  [
    ["change-tender", "--tender", "Gold", "--name", "B"],
    /--tender: the shop has none called "Gold"/,
  ],
  [["change-tender", "--tender", "cash"], /--name, --kind, --drawer, --offered or --place is/],
  [["change-tender", "--tender", "cash", "--place", "0"], /--place must be 1 to 20, not "0"/],
  [["change-tender", "--tender", "cash", "--offered", "off"], /list\.1\.offered/],
])("refuses %j in one line, and changes nothing", async (args, words) => {
  const before = await run("tenders");
  const { exitCode, stderr } = await tillgate(...args);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(words);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(await run("tenders")).toEqual(before);
});
