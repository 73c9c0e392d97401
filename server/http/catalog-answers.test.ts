import { get as httpGet, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writerOf } from "../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Raw {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

function ask(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  const authorization = `Bearer ${gateway.key("test")}`;
  return new Promise((resolve, reject) => {
    httpGet(`${gateway.url}/v1${path}`, { headers: { authorization, ...headers } }, (answer) => {
      const { statusCode: status, headers: said } = answer;
      buffer(answer).then((bytes) => resolve({ status, headers: said, bytes }), reject);
    }).on("error", reject);
  });
}

const PAGE = "/topups/offers?_limit=1024&_offset=0";
const LARGE = [PAGE, "/promos?_limit=1024&_offset=0", "/brands?_limit=1024&_offset=0"];
const SMALL = ["/topups/offers/TIGO_GT_TOPUP_25", "/brands/TIGO"];

describe("catalog responses", () => {
  it.each(LARGE)("have the same content when compressed on request: %s", async (path) => {
    const plain = await ask(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const br = await ask(path, { "accept-encoding": "gzip, deflate, br" });
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
    const gzip = await ask(path, { "accept-encoding": "gzip, br;q=0" });
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
    for (const { bytes } of [br, gzip]) {
      expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    }
    for (const { headers } of [plain, br, gzip]) {
      expect(headers.vary).toContain("accept-encoding");
      expect(headers.etag).toBe(plain.headers.etag);
    }
  });

  it.each([...LARGE, ...SMALL])(
    "have status 304 and no body if the client already has the content: %s",
    async (path) => {
      const { headers } = await ask(path);
      const etag = String(headers.etag);
      for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
        const again = await ask(path, { "if-none-match": known, "accept-encoding": "br" });
        expect(again.status).toBe(304);
        expect(again.bytes).toHaveLength(0);
        expect(again.headers).toMatchObject({ etag, vary: headers.vary });
      }
      expect((await ask(path, { "if-none-match": 'W/"other"' })).status).toBe(200);
    },
  );

  it("contain the new price after a price change", async () => {
    const before = (await ask(PAGE)).headers.etag;
    const { db } = gateway.gateway.context;
    await writerOf(db)
      .updateTable("catalogs")
      .set((row) => ({ version: row("version", "+", 1) }))
      .execute();
    await writerOf(db).deleteFrom("offers").where("offer_id", "=", "TIGO_GT_TOPUP_50").execute();
    const after = await ask(PAGE, { "if-none-match": String(before) });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before);
  });

  it("have no entity tag if they are errors or change constantly", async () => {
    for (const path of ["/topups/offers?_limit=0&_offset=0", "/topups/offers/NONE", "/balance"]) {
      expect((await ask(path, { "if-none-match": "*" })).headers.etag).toBeUndefined();
    }
  });
});
