import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../testing/place.ts";
import { makePlace } from "../testing/postgres-database.ts";
import { type Finished, typeCommand } from "../testing/run-program.ts";
import { type Receiver, startReceiver } from "../testing/webhook-receiver.ts";

let place: Place;
let receiver: Receiver;
beforeAll(async () => {
  place = await makePlace(mkdtempSync(join(tmpdir(), "tillgate-webhooks-")));
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  rmSync(place.dataDir, { recursive: true, force: true });
});

function tillgate(line: string, input?: string): Promise<Finished> {
  return typeCommand(place, line.split(" "), input);
}

describe("tillgate webhooks", () => {
  it("adds a webhook with a header value from standard input, lists it without that value, and removes it", {
    tags: ["thorough"],
  }, async () => {
    const target = `webhooks add --env test --kind TOPUP --url ${receiver.url}/`;
    const header = "--header Authorization --header-value-file -";
    const added = await tillgate(`${target} --allow-private yes ${header}`, "Bearer very-secret\n");
    expect(added).toMatchObject({ exitCode: 0, stderr: "" });
    expect(added.stdout).toMatch(/^whsec_\S+\n$/);
    expect(receiver.heads[0]?.authorization).toBe("Bearer very-secret");

    const [text, json] = await Promise.all([
      tillgate("webhooks list"),
      tillgate("webhooks list --json"),
    ]);
    const [webhook] = JSON.parse(json.stdout);
    expect(webhook).toMatchObject({ kind: "TOPUP", headerName: "Authorization", waiting: 0 });
    expect(text.stdout).toMatch(/TOPUP .*Authorization .*ok\n$/);
    expect(text.stdout + json.stdout).not.toMatch(/very-secret|whsec_/);
    expect((await tillgate("webhooks deliveries")).stdout).toBe("No deliveries.\n");
    expect((await tillgate(`webhooks resume ${webhook.webhookId}`)).exitCode).toBe(0);
    expect((await tillgate(`webhooks remove ${webhook.webhookId}`)).exitCode).toBe(0);
    expect((await tillgate("webhooks list")).stdout).toBe("No webhooks.\n");
  });

  it("adds a webhook of two kinds, changes it and replaces it", async () => {
    const hook = `${receiver.url}/several --allow-private yes`;
    const kinds = "--kind VOUCHER,ESIM --description Web";
    expect((await tillgate(`webhooks add --env test ${kinds} --url ${hook}`)).exitCode).toBe(0);
    const list = async () => JSON.parse((await tillgate("webhooks list --json")).stdout);
    const [{ webhookId, ...added }] = await list();
    expect(added).toMatchObject({ kinds: ["VOUCHER", "ESIM"], description: "Web" });
    const changed = await tillgate(`webhooks change ${webhookId} --kind TRANSACTION`);
    expect(changed.stdout).toBe(`TRANSACTION is sent to ${receiver.url}/several.\n`);
    const moved = await tillgate(`webhooks change ${webhookId} --url ${receiver.url}/moved`);
    expect(moved.stdout).toBe(`TRANSACTION is sent to ${receiver.url}/moved.\n`);
    const secret = await tillgate(`webhooks secret ${webhookId} --old-secret-hours 2`);
    expect(secret.stdout).toMatch(/^whsec_\S+\n$/);
    const target = `--url ${receiver.url}/new --allow-private yes --replace ${webhookId}`;
    const replaced = await tillgate(`webhooks add --env test --kind TRANSACTION ${target}`);
    expect(replaced).toMatchObject({ exitCode: 0, stderr: "" });
    const webhooks = await list();
    expect(webhooks).toMatchObject([{ kinds: ["TRANSACTION"], url: `${receiver.url}/new` }]);
    await tillgate(`webhooks remove ${webhooks[0].webhookId}`);
  });

  it("sends a sample, lists its delivery and repeats it", async () => {
    const hook = `${receiver.url}/sample --allow-private yes`;
    const added = await tillgate(`webhooks add --env test --kind ESIM --url ${hook} --json`);
    const { webhookId } = JSON.parse(added.stdout).webhook;
    const sent = await tillgate(`webhooks trigger ESIM --env test --webhook ${webhookId}`);
    const [deliveryId] = sent.stdout.split(" ");
    expect(sent.stdout).toBe(`${deliveryId} will be sent to ${receiver.url}/sample.\n`);
    const ofHook = `webhooks deliveries --webhook ${webhookId}`;
    const pending = await tillgate(`${ofHook} --state PENDING`);
    expect(pending.stdout).toMatch(new RegExp(`\\n${deliveryId} +test +ESIM .* PENDING +0 `));
    expect((await tillgate(`${ofHook} --state FAILED`)).stdout).toBe("No deliveries.\n");
    const again = await tillgate(`webhooks resend ${deliveryId}`);
    expect(again.stdout).toBe(`${deliveryId} will be sent again.\n`);
    expect((await tillgate(`webhooks list`)).stdout).toMatch(/ESIM +\S+\/sample +\d +ok\n$/);
    expect((await tillgate(`webhooks remove ${webhookId}`)).stdout).toBe(`Removed ${webhookId}.\n`);
  });

  it.each([
    ["webhooks add --env test --kind NOTHING --url http://a/", /--kind must be one of TOPUP/],
    ["webhooks add --env test --kind TOPUP,NOTHING --url http://a/", /not "NOTHING"/],
    ["webhooks change nothing", /needs --url, --kind or --description/],
    ["webhooks change nothing --kind TOPUP", /There is no webhook nothing/],
    [
      "webhooks add --env test --kind TOPUP --url http://a/ --replace nothing",
      /replaces names no webhook of test: nothing/,
    ],
    ["webhooks add --env test --kind TOPUP --url http://127.0.0.1/", /is not called: .*allow/],
    ["webhooks secret nothing --old-secret-hours 169", /whole number from 0 to 168/],
    ["webhooks add --env test --kind TOPUP", /--url is required/],
    ["webhooks add --env test --kind TOPUP --url http://127.0.0.1/", /private network/],
    ["webhooks add --env test --kind TOPUP --url shop", /url is not a URL/],
    ["webhooks add --env test --kind TOPUP --url http://a/ --header-value secret", /header-value/],
    [
      "webhooks add --env test --kind TOPUP --url http://a/ --header A --header-value-file /none",
      /--header-value-file cannot be read/,
    ],
    ["webhooks listen --env test --forward http://93.184.216.34/", /private network/],
    ["webhooks listen --env live --forward http://127.0.0.1:9/ --bodies", /PINs and codes/],
    [
      "webhooks listen --env test --forward http://127.0.0.1:9/ --kind RECEIPT",
      /cannot be RECEIPT/,
    ],
    ["webhooks trigger NOTHING --env test", /KIND must be one of TOPUP/],
    ["webhooks trigger ESIM --env test", /ESIM is sent to no such webhook of test/],
    ["webhooks remove nothing", /There is no webhook nothing/],
    ["webhooks resend nothing", /There is no delivery nothing/],
    ["webhooks resume", /needs a WEBHOOK_ID/],
    ["webhooks remove", /needs a WEBHOOK_ID/],
    ["webhooks change", /needs a WEBHOOK_ID/],
    ["webhooks secret", /needs a WEBHOOK_ID/],
    ["webhooks resend", /needs a DELIVERY_ID/],
    ["webhooks trigger --env test", /needs a KIND/],
    ["webhooks deliveries --state LOST", /--state must be one of/],
  ])("refuses %s in one line", async (line, words) => {
    const { exitCode, stdout, stderr } = await tillgate(line);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  });
});
