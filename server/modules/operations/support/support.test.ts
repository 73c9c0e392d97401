import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { describeNetwork } from "../../shop/reach/index.ts";
import { createRedaction, redactLog } from "./redacted-log.ts";

let gateway: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway, { ownerName: "Olga Márquez" });
});
afterAll(() => gateway.close());

const SECRETS = [
  "Olga Márquez",
  "olga márquez",
  "Corner Shop",
  "+502 5123-4567",
  "50251234567",
  "471183",
  "4711 8323",
  "test_9fK2mQz81LpXr7YtVb3N",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "Bearer abc.def",
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
  "olga@shop.example",
  "192.168.1.20",
];

it("the support file contains the log without names, numbers, PINs and keys", async () => {
  // Test gateways write no log file.
  const { config } = gateway.gateway.context;
  const file = join(gateway.dataDir, "logs", "tillgate.log");
  config.logFile = file;
  mkdirSync(dirname(file), { recursive: true });
  const at = Date.parse("2026-01-15T09:30:00.000Z");
  const planted = SECRETS.map((secret) =>
    JSON.stringify({ level: 40, time: at, msg: `said ${secret}`, facts: { deep: [secret] } }),
  );
  const plain = {
    level: 30,
    time: at,
    statusCode: 503,
    pin: "1",
    msg: "no answer from the provider",
  };
  const lines = [...planted, JSON.stringify(plain), `no JSON ${SECRETS[3]}`];
  writeFileSync(file.replace(/\.log$/, ".1.log"), `${lines.join("\n")}\n`);
  const answer = await owner.pos("POST", "/support-file");
  expect(answer.body.name).toBe("tillgate-support-2026-01-15.txt");
  for (const secret of SECRETS) expect(answer.body.text).not.toContain(secret);
  expect(answer.body.text).toContain('"tillgate"');
  expect(answer.body.text).toContain(
    '{"at":"2026-01-15T09:30:00.000Z","level":30,"statusCode":503,"pin":"[secret]","msg":"no answer from the provider"}',
  );
  const [entry] = (await owner.pos("GET", "/audit-trail?limit=1")).body.list;
  expect(entry.action).toBe("support.file");
});

it("the support file retains times, UUIDs and versions", () => {
  const { redactText } = createRedaction(["Ana"]);
  const id = "0e37df36-f698-11e6-8dd4-cb9ced3df976";
  const kept = `2026-01-15T09:30:00.000Z ${id} v24.1.0 analysis`;
  expect(redactText(kept)).toBe(kept);
  expect(redactText("Ana sold 5551 2345")).toBe("[name] sold [number]");
});

it("the support file contains the whole lines at the end of a long log, and skips missing logs", async () => {
  const file = join(gateway.dataDir, "long.log");
  const last = '["called 5551 2345"]\n\n{"msg":"Ana called"}\n';
  writeFileSync(file, `{"msg":"first"}\n{"msg":"cut off"}\n${last}`);
  const files = [join(gateway.dataDir, "missing.log"), file];
  const kept = '["called [number]"]\n{"msg":"[name] called"}';
  expect(await redactLog({ files, bytes: last.length + 5, names: ["Ana"] })).toBe(kept);
  expect(await redactLog({ files, bytes: 1_000, names: ["Ana"] })).toBe(
    `{"msg":"first"}\n{"msg":"cut off"}\n${kept}`,
  );
});

it("the support page shows the address for other devices, or that other devices cannot reach this machine", async () => {
  const network = (await owner.pos("GET", "/network")).body;
  expect(network).toMatchObject({
    open: false,
    addresses: [],
    port: Number(new URL(gateway.url).port),
  });
  const given = (address: string, internal = false) => ({
    address,
    internal,
    family: "IPv4" as const,
    netmask: "255.255.255.0",
    mac: "",
    cidr: null,
  });
  const interfaces = {
    lo: [given("127.0.0.1", true)],
    docker0: [given("172.17.0.1")],
    eth0: [given("192.168.1.20")],
  };
  expect(describeNetwork("0.0.0.0", 8787, interfaces).addresses).toEqual([
    "http://192.168.1.20:8787",
    "http://172.17.0.1:8787",
  ]);
  expect(describeNetwork("fd00::20", 8787, interfaces).addresses).toEqual([
    "http://[fd00::20]:8787",
  ]);
});
