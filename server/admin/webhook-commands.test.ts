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

  it.each([
    ["webhooks add --env test --kind REFUND --url http://a/", /--kind must be one of TOPUP/],
    ["webhooks add --env test --kind TOPUP", /--url is required/],
    ["webhooks add --env test --kind TOPUP --url http://127.0.0.1/", /private network/],
    ["webhooks add --env test --kind TOPUP --url shop", /url is not a URL/],
    ["webhooks add --env test --kind TOPUP --url http://a/ --header-value secret", /header-value/],
    [
      "webhooks add --env test --kind TOPUP --url http://a/ --header A --header-value-file /none",
      /--header-value-file cannot be read/,
    ],
    ["webhooks remove nothing", /There is no webhook nothing/],
    ["webhooks resend nothing", /There is no delivery nothing/],
    ["webhooks resume", /needs a WEBHOOK_ID/],
    ["webhooks deliveries --state LOST", /--state must be one of/],
  ])("refuses %s in one line", async (line, words) => {
    const { exitCode, stdout, stderr } = await tillgate(line);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  });
});
