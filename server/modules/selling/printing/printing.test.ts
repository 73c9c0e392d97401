import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MOST_PRINT_BYTES, type Printer } from "../../../contract/pos/printers.ts";
import { OwnMemory, type SharedMemory } from "../../../db/shared-memory.ts";
import { SECOND } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { type FakePrinter, startFakePrinter } from "../../../testing/fake-printer.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { until } from "../../../testing/until.ts";
import { PrintQueue } from "./print-queue.ts";

let gateway: TestGateway;
let owner: TestTill;
let clerk: TestTill;
let device: FakePrinter;
const printerId = randomUUID();

beforeEach(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  const { body } = await owner.pos("POST", "/staff", { name: "Ana", pin: "2583", role: "clerk" });
  clerk = await owner.signIn(body.staffId, "2583");
  device = await startFakePrinter();
});
afterEach(async () => {
  await gateway.close();
  await device.close();
});

function aPrinter(changes: object = {}) {
  return {
    name: "Counter",
    host: device.host,
    port: device.port,
    paper: "80mm",
    drawer: true,
    drawerPin: 2,
    lineLetters: 48,
    headDots: 576,
    ...changes,
  };
}

async function save(changes: object = {}, id = printerId): Promise<Answer> {
  return owner.pos("PUT", `/printers/${id}`, aPrinter(changes));
}

function ask(bytes: Buffer, printId = randomUUID(), id = printerId): Promise<Answer> {
  const data = bytes.toString("base64");
  return clerk.pos("POST", `/printers/${id}/prints`, { printId, data });
}

/** Advances the clock until the print ends, and returns the outcome. */
async function outcomeOf(printId: string) {
  let print: Answer["body"];
  await until(async () => {
    ({ body: print } = await clerk.pos("GET", `/printers/${printerId}/prints/${printId}`));
    if (print.state === "WAITING") await gateway.advance(500);
    return print.state !== "WAITING";
  });
  return { state: print.state, confirmed: print.confirmed, trouble: print.trouble };
}

const BEGINNING = Buffer.from("\x1b@\x1c.\x1bM\x00", "latin1");
const RECEIPT = Buffer.concat([BEGINNING, Buffer.from("Sale 000124\n\x1dV\x00", "latin1")]);

describe("printers of the shop", () => {
  it("have one entry for each address and port", async () => {
    await save({ host: "127.0.0.2" });
    const other = randomUUID();
    const refused = await save({ host: "127.0.0.2", name: "The same" }, other);
    expect([refused.status, refused.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect(refused.body.fields.host).toBe(`is the address of the printer "${aPrinter().name}"`);
    expect((await owner.pos("GET", "/printers")).body.list).toHaveLength(1);
    await owner.pos("DELETE", `/printers/${printerId}`);
    expect((await save({ host: "127.0.0.2" }, other)).status).toBe(200);
    await owner.pos("DELETE", `/printers/${other}`);
  });

  it("have one entry for a host name and its address, and an unresolved name is reported", async () => {
    const saved = await save({ host: "127.0.0.1" });
    expect([saved.status, saved.body.isAddressUnknown]).toEqual([200, false]);
    for (const host of ["localhost", "LOCALHOST"]) {
      const refused = await save({ host, name: "The same" }, randomUUID());
      expect([host, refused.status]).toEqual([host, 400]);
      expect(refused.body.fields.host).toBe('is the address of the printer "Counter"');
    }
    const other = randomUUID();
    const unknown = await save({ host: "kitchen.invalid", name: "Kitchen" }, other);
    expect([unknown.status, unknown.body.isAddressUnknown]).toEqual([200, true]);
    const beside = await save({ host: "127.0.0.1", port: 9101 }, randomUUID());
    expect([beside.status, beside.body.isAddressUnknown]).toEqual([200, false]);
  });

  it("can be saved by an owner and seen by everyone, and a repeated request changes nothing", async () => {
    expect((await clerk.pos("PUT", `/printers/${printerId}`, aPrinter())).status).toBe(403);
    expect((await save()).status).toBe(200);
    const before = await digestDatabase(gateway.gateway.context.db);
    expect((await save()).status).toBe(200);
    expect(await digestDatabase(gateway.gateway.context.db)).toEqual(before);
    expect((await clerk.pos("GET", "/printers")).body.list).toEqual([{ printerId, ...aPrinter() }]);

    await save({ name: "Back room", paper: "58mm" });
    expect((await clerk.pos("GET", "/printers")).body.list).toMatchObject([{ name: "Back room" }]);
    await owner.pos("DELETE", `/printers/${printerId}`);
    expect((await owner.pos("DELETE", `/printers/${printerId}`)).status).toBe(200);
    expect((await clerk.pos("GET", "/printers")).body.list).toEqual([]);
    expect((await ask(RECEIPT)).body.errorCode).toBe("NOT_FOUND");
  });

  it("store the pin of the drawer connector, which is pin 2 by default", async () => {
    expect((await save({ drawerPin: undefined })).body.drawerPin).toBe(2);
    expect((await save({ drawerPin: 5 })).body.drawerPin).toBe(5);
    expect((await save({ drawerPin: undefined })).body.drawerPin).toBe(5);
    expect((await save({ drawerPin: 3 })).body.fields).toHaveProperty("drawerPin");
    expect((await clerk.pos("GET", "/printers")).body.list).toMatchObject([{ drawerPin: 5 }]);
  });

  it("store the width of the print head, by default the usual width for the paper", async () => {
    const usual = { lineLetters: undefined, headDots: undefined };
    expect((await save(usual)).body).toMatchObject({ lineLetters: 48, headDots: 576 });
    const narrow = { lineLetters: 42, headDots: 512 };
    expect((await save(narrow)).body).toMatchObject(narrow);
    expect((await save(usual)).body).toMatchObject(narrow);
    const other = await save({ ...usual, paper: "58mm" });
    expect(other.body).toMatchObject({ lineLetters: 32, headDots: 384 });
    expect((await clerk.pos("GET", "/printers")).body.list).toMatchObject([{ headDots: 384 }]);
  });

  it("cannot have an invalid value; the error names the field, and nothing changes", async () => {
    const cases: [string, object][] = [
      ["lineLetters", { lineLetters: 8 }],
      ["headDots", { headDots: 513 }],
      ["headDots", { headDots: 832 }],
      ["host", { host: "169.254.169.254" }],
      ["host", { host: "http://192.168.1.50" }],
      ["host", { host: "224.0.0.1" }],
      ["host", { host: "8.8.8.8" }],
      ["host", { host: "2001:4860:4860::8888" }],
      ["host", { host: "64:ff9b::808:808" }],
      ["port", { port: 0 }],
      ["port", { port: 22 }],
      ["port", { port: 9099 }],
      ["port", { port: 9110 }],
      ["paper", { paper: "A4" }],
      ["name", { name: " " }],
    ];
    const before = await digestDatabase(gateway.gateway.context.db);
    for (const [field, changes] of cases) {
      const { status, body } = await save(changes);
      expect([status, body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
      expect(JSON.stringify(body)).toContain(field);
      expect(await digestDatabase(gateway.gateway.context.db)).toEqual(before);
    }
  });
});

describe("ports other than the usual printer ports", () => {
  it("can be allowed, shown and closed on the command line", async () => {
    expect((await save({ port: 4000 })).status).toBe(400);
    const command = await typeCommand(gateway, ["printers", "ports", "--allow", "9200,4000"]);
    expect(command.stdout).toBe("Receipts may be sent to the ports 9100 to 9109 and 4000, 9200.\n");
    expect((await save({ port: 4000 })).status).toBe(200);
    await typeCommand(gateway, ["printers", "ports", "--allow", "none"]);
    expect((await typeCommand(gateway, ["printers", "ports", "--json"])).stdout).toContain("[]");
    const refused = await ask(RECEIPT);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ["port"]]);
    for (const ports of ["0", "65536", "a", "9200,", ""]) {
      const answer = await typeCommand(gateway, ["printers", "ports", `--allow=${ports}`]);
      expect([ports, answer.exitCode]).toEqual([ports, 1]);
    }
  });
});

describe("a print", () => {
  it("gets accepted before the paper is printed, and its bytes reach the printer unchanged", async () => {
    await save();
    const bytes = Buffer.concat([
      RECEIPT,
      Buffer.from([0x1d, 0x76, 0x30, 0, 32, 0, 8, 0]),
      Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    ]);
    const asked = await ask(bytes);
    expect(asked).toMatchObject({ status: 200, body: { state: "WAITING", confirmed: false } });
    expect(await outcomeOf(asked.body.printId)).toEqual({ state: "PRINTED", confirmed: true });
    expect(device.received).toEqual([bytes]);
  });

  it("appears once on paper if it is sent several times, and is retried after a failure", async () => {
    await save();
    device.manner = "out-of-paper";
    const printId = randomUUID();
    await ask(RECEIPT, printId);
    expect(await outcomeOf(printId)).toMatchObject({ state: "FAILED", trouble: "OUT_OF_PAPER" });
    expect(Buffer.concat(device.received)).toHaveLength(0);

    device.manner = "well";
    await ask(RECEIPT, printId);
    await ask(RECEIPT, printId);
    expect(await outcomeOf(printId)).toEqual({ state: "PRINTED", confirmed: true });
    await ask(RECEIPT, printId);
    expect(Buffer.concat(device.received)).toEqual(RECEIPT);
  });

  it("keeps the number of the original until a byte is sent, and never starts after it was replaced", async () => {
    await save();
    const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    const { saleId } = (await clerk.sell([line])).body;
    const record = (till: TestTill, printId = randomUUID()) =>
      till.pos("POST", `/sales/${saleId}/prints?printId=${printId}`);
    const printed = async () => (await clerk.pos("GET", `/sales/${saleId}`)).body.receiptsPrinted;

    device.manner = "out-of-paper";
    const first = randomUUID();
    expect((await record(clerk, first)).body.copyNumber).toBe(0);
    await ask(RECEIPT, first);
    expect(await outcomeOf(first)).toMatchObject({ state: "FAILED", trouble: "OUT_OF_PAPER" });
    expect(await printed()).toBe(0);

    device.manner = "well";
    const second = randomUUID();
    expect((await record(clerk, second)).body.copyNumber).toBe(0);
    expect((await ask(RECEIPT, first)).body).toMatchObject({ state: "FAILED", begun: false });
    await ask(RECEIPT, second);
    expect(await outcomeOf(second)).toEqual({ state: "PRINTED", confirmed: true });
    expect(await printed()).toBe(1);
    expect((await record(clerk)).body.copyNumber).toBe(1);
    const again = await record(clerk, second);
    expect([again.status, again.body.errorCode]).toEqual([409, "ID_TAKEN"]);
    expect(Buffer.concat(device.received)).toEqual(RECEIPT);
  });

  it("starts once on the device's own printer, and only for the person who requested it", async () => {
    const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    const { saleId } = (await clerk.sell([line])).body;
    const printId = randomUUID();
    await clerk.pos("POST", `/sales/${saleId}/prints?printId=${printId}`);
    expect((await owner.pos("POST", `/prints/${printId}/begin`)).status).toBe(404);
    expect((await clerk.pos("POST", `/prints/${printId}/begin`)).status).toBe(200);
    expect((await clerk.pos("POST", `/prints/${printId}/begin`)).status).toBe(409);
    await gateway.restart();
    const next = await clerk.pos("POST", `/sales/${saleId}/prints?printId=${randomUUID()}`);
    expect(next.body).toMatchObject({ copy: true, copyNumber: 1 });
  });

  it.each([
    ["silent", { state: "PRINTED", confirmed: false }],
    ["talkative", { state: "PRINTED", confirmed: true }],
    ["cover-open", { state: "FAILED", confirmed: false, trouble: "COVER_OPEN" }],
    ["hangs", { state: "FAILED", confirmed: false, trouble: "NO_ANSWER" }],
    ["runs-out", { state: "FAILED", confirmed: false, trouble: "OUT_OF_PAPER" }],
  ] as const)("reports its outcome on a printer of the kind %s", async (manner, expected) => {
    await save();
    device.manner = manner;
    const { body } = await ask(RECEIPT);
    expect(await outcomeOf(body.printId)).toEqual(expected);
  });

  it("blocks neither callers nor another printer if its printer accepts no connection", async () => {
    const off = await startFakePrinter();
    await off.close();
    await save({ host: off.host, port: off.port });
    const well = randomUUID();
    await save({}, well);
    const { body } = await ask(RECEIPT);
    const printId = randomUUID();
    await ask(RECEIPT, printId, well);
    expect(await outcomeOf(body.printId)).toMatchObject({ state: "FAILED", trouble: "BUSY" });
    await until(() => Buffer.concat(device.received).equals(RECEIPT));
  });

  it("waits while another gateway uses the printer's only connection", async () => {
    await save();
    for (const refuses of ["connections", "questions"]) {
      device.takesOne = refuses === "connections";
      const other = connect(device.port, device.host);
      await once(other, "connect");
      if (refuses === "questions") device.stopAt = "BEFORE";
      const { body } = await ask(RECEIPT);
      if (refuses === "questions") {
        await until(() => device.isStopped);
        device.goOn("CLOSE");
      }
      const read = () => clerk.pos("GET", `/printers/${printerId}/prints/${body.printId}`);
      if (refuses === "connections") {
        for (let n = 0; n < 20; n++) await gateway.advance(SECOND);
        expect((await read()).body).toMatchObject({ state: "WAITING", begun: false });
      }
      other.destroy();
      expect(await outcomeOf(body.printId)).toEqual({ state: "PRINTED", confirmed: true });
    }
    expect(Buffer.concat(device.received)).toEqual(Buffer.concat([RECEIPT, RECEIPT]));
  });

  it("fails as BUSY if its printer stays busy, and may then be sent again as the original", async () => {
    await save();
    device.takesOne = true;
    const other = connect(device.port, device.host);
    await once(other, "connect");
    const { body } = await ask(RECEIPT);
    expect(await outcomeOf(body.printId)).toMatchObject({ state: "FAILED", trouble: "BUSY" });
    const { begun } = (await clerk.pos("GET", `/printers/${printerId}/prints/${body.printId}`))
      .body;
    expect(begun).toBe(false);
    other.destroy();
    await once(other, "close");
    await ask(RECEIPT, body.printId);
    expect(await outcomeOf(body.printId)).toEqual({ state: "PRINTED", confirmed: true });
  });

  it("waits for the receipts that were requested before it", async () => {
    await save();
    const receipts = ["a", "b", "c"].map((text) =>
      Buffer.concat([BEGINNING, Buffer.from(text.repeat(20_000))]),
    );
    const asked = [];
    for (const receipt of receipts) asked.push(await ask(receipt));
    for (const { body } of asked) await outcomeOf(body.printId);
    expect(device.received).toEqual(receipts);
  });

  it("continues while the printer accepts bytes, and fails after 20 seconds without progress", async () => {
    await save();
    const picture = Buffer.alloc(8 + 72 * 240, 0x55);
    picture.set([0x1d, 0x76, 0x30, 0, 72, 0, 240, 0]);
    const bytes = Buffer.concat([BEGINNING, ...Array.from({ length: 8 }, () => picture)]);
    for (const [pause_ms, expected] of [
      [15_000, { state: "PRINTED", confirmed: true }],
      [21_000, { state: "FAILED", confirmed: false, trouble: "NO_ANSWER" }],
    ] as const) {
      device.manner = "slow";
      const { body } = await ask(bytes);
      let answered = 0;
      let paused_ms = 0;
      let print = body;
      await until(async () => {
        if (device.held.length >= 2) {
          const pause = answered === 0 ? 0 : pause_ms;
          await gateway.advance(pause);
          paused_ms += pause;
          answered += 1;
          for (const answer of device.held.splice(0)) answer();
        }
        print = (await clerk.pos("GET", `/printers/${printerId}/prints/${body.printId}`)).body;
        return print.state !== "WAITING";
      });
      expect(print).toMatchObject({ ...expected, begun: true });
      if (print.state === "PRINTED") expect(paused_ms).toBeGreaterThanOrEqual(60_000);
    }
    expect(device.received[0]).toEqual(bytes);
    expect(device.received[1]!.length).toBeLessThan(bytes.length);
  });

  it("cannot have data that is too long or not base64; the error names the field", async () => {
    await save();
    const path = `/printers/${printerId}/prints`;
    for (const data of ["no base64!", "AAAAA", "A".repeat(MOST_PRINT_BYTES * 1.4)]) {
      const { status, body } = await clerk.pos("POST", path, { printId: randomUUID(), data });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain("data");
    }
    const whole = await ask(
      Buffer.concat([BEGINNING], MOST_PRINT_BYTES).fill(0x20, BEGINNING.length),
    );
    expect(await outcomeOf(whole.body.printId)).toMatchObject({ state: "PRINTED" });
    expect(Buffer.concat(device.received)).toHaveLength(MOST_PRINT_BYTES);
  });

  it("leaves none of its bytes in the database", async () => {
    await save();
    const before = await digestDatabase(gateway.gateway.context.db);
    const { body } = await ask(RECEIPT);
    await outcomeOf(body.printId);
    expect(await digestDatabase(gateway.gateway.context.db)).toEqual(before);
  });
});

describe("a printer of two processes", () => {
  const clock = new FakeClock();
  const printer = { printerId, name: "P", host: "192.168.1.50", port: 9100 } as Printer;
  let memory: SharedMemory;
  let sent: string[];
  let paper: PromiseWithResolvers<boolean>;

  beforeEach(() => {
    memory = Object.assign(new OwnMemory(clock), { isShared: true });
    sent = [];
    paper = Promise.withResolvers();
  });

  function startQueue(): PrintQueue {
    const { transactor, log } = gateway.gateway.context;
    const send = async (_printer: object, bytes: Buffer) => {
      sent.push(bytes.toString());
      return paper.promise;
    };
    return new PrintQueue({ memory, clock, log, transactor, send });
  }
  function submit(queue: PrintQueue, text: string) {
    const job = { accountId: "default", bytes: Buffer.from(text), isRecorded: false };
    return queue.submit(printer, { ...job, printId: text });
  }
  async function pass(seconds: number): Promise<void> {
    for (let half = 0; half < 2 * seconds; half++) {
      clock.set(clock.now() + SECOND / 2);
      await new Promise(setImmediate);
    }
  }

  it("prints for one process at a time, however long a receipt takes", async () => {
    const [here, there] = [startQueue(), startQueue()];
    await submit(here, "long");
    await pass(1);
    await submit(there, "next");
    await pass(45);
    expect(sent).toEqual(["long"]);
    expect(await here.find(printerId, "next")).toMatchObject({ state: "WAITING" });
    paper.resolve(true);
    await pass(1);
    expect(sent).toEqual(["long", "next"]);
    for (const printId of ["long", "next"]) {
      expect(await here.find(printerId, printId)).toMatchObject({ state: "PRINTED" });
    }
  });

  it("becomes free 30 seconds after the last sign of a process that died while it printed", async () => {
    await memory.change("printer-turns", "192.168.1.50:9100", () => ({ printId: "dead" }), 30_000);
    const queue = startQueue();
    await submit(queue, "next");
    await pass(29);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(["next"]);
    paper.resolve(true);
    await queue.stop();
  });

  it("drops a print that waits for the other process when its own process stops", async () => {
    const [here, there] = [startQueue(), startQueue()];
    await submit(here, "long");
    await pass(1);
    await submit(there, "next");
    await pass(1);
    await there.stop();
    expect(await here.find(printerId, "next")).toMatchObject({ state: "FAILED", begun: false });
    paper.resolve(true);
    await here.stop();
    expect(sent).toEqual(["long"]);
  });
});
