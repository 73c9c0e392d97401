import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MOST_BRAND_LOGOS } from "../../../contract/pos/brand-faces.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
});
afterAll(() => gateway.close());

const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }));
const webp = (chunk: string, head: string) => {
  const file = Buffer.alloc(40);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(32, 4);
  file.write(`WEBP${chunk}`, 8, "latin1");
  file.write(head, 20, "hex");
  return file;
};
const put = (brand: string, picture: Buffer, rightConfirmed: unknown = true) => {
  const body = { content: picture.toString("base64"), rightConfirmed };
  return owner.pos("PUT", `/brand-logos/${brand}`, body);
};
const readCard = async (wanted: string) => {
  const { list } = (await owner.pos("GET", "/brand-faces")).body;
  const { brand, glyph, logo } = list.find((one: { brand: string }) => one.brand === wanted);
  return { brand, glyph, ...(logo && { logo }) };
};
const read = (digest: string) => fetch(`${gateway.url}/pos/brand-logos/${digest}`);

it("a brand has a generated card, except while it has an approved logo", async () => {
  expect(await readCard("NETFLIX")).toEqual({ brand: "NETFLIX", glyph: "streaming" });
  expect(await readCard("TIGO")).toEqual({ brand: "TIGO", glyph: "mobile" });
  const picture = png(300, 120);
  const { status, body } = await put("NETFLIX", picture);
  expect([status, await readCard("NETFLIX")]).toEqual([
    200,
    { brand: "NETFLIX", glyph: "streaming", logo: body.logo },
  ]);
  const served = await read(body.logo);
  expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true);
  expect(served.headers.get("content-type")).toBe("image/png");
  expect(served.headers.get("x-content-type-options")).toBe("nosniff");
  expect(served.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(served.headers.get("cache-control")).toContain("immutable");
  expect((await owner.pos("DELETE", "/brand-logos/NETFLIX")).body).toEqual({});
  expect((await read(body.logo)).status).toBe(404);
  expect(await readCard("NETFLIX")).toEqual({ brand: "NETFLIX", glyph: "streaming" });
  const trail = (await owner.pos("GET", "/audit-trail?limit=20")).body.list;
  const kept = trail.map(({ action, subject }: Record<string, string>) => [action, subject]);
  expect(kept).toEqual(
    expect.arrayContaining([
      ["brand.logo", "NETFLIX"],
      ["brand.no-logo", "NETFLIX"],
    ]),
  );
});

it("a repeated upload or removal of a brand logo changes nothing", async () => {
  const picture = png(90, 60);
  const { body } = await put("CLARO", picture);
  expect((await put("CLARO", picture)).body).toEqual(body);
  for (const _ of [1, 2]) {
    expect((await owner.pos("DELETE", "/brand-logos/CLARO")).body).toEqual({});
  }
  const trail = (await owner.pos("GET", "/audit-trail?limit=50")).body.list;
  const kept = trail.filter(({ subject }: { subject: string }) => subject === "CLARO");
  expect(kept.map(({ action }: { action: string }) => action)).toEqual([
    "brand.no-logo",
    "brand.logo",
  ]);
});

it("the gateway refuses a logo of a further brand if the maximum number of brands has one", async () => {
  const { db } = gateway.gateway.context;
  const row = { account_id: "default", media_type: "image/png", width: 64, height: 64 } as const;
  const rows = Array.from({ length: MOST_BRAND_LOGOS }, (_, n) => ({
    ...row,
    brand: `BRAND_${n}`,
    digest: `digest-${n}`,
    content: Buffer.from("x"),
  }));
  await writerOf(db).insertInto("logos").values(rows).execute();
  const { status, body } = await put("CLARO", png(64, 64));
  expect([status, body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
  expect(body.fields.content).toContain(`only ${MOST_BRAND_LOGOS} brands`);
  await writerOf(db).deleteFrom("logos").where("brand", "like", "BRAND_%").execute();
});

it("the gateway accepts a brand logo as JPEG or WebP and reads the size from its bytes", async () => {
  const jpeg = Buffer.from("ffd8ffe000040102ffc2000b080000000001011100ffd9", "hex");
  jpeg.writeUInt16BE(60, 13);
  jpeg.writeUInt16BE(120, 15);
  const taken: readonly (readonly [string, Buffer])[] = [
    ["image/jpeg", jpeg],
    ["image/webp", webp("VP8 ", "0000009d012a78003c00")],
    ["image/webp", webp("VP8L", "2f77c00e0000000000")],
    ["image/webp", webp("VP8X", "000000007700003b0000")],
  ];
  for (const [type, picture] of taken) {
    const { status, body } = await put("TIGO", picture);
    expect(status).toBe(200);
    expect((await read(body.logo)).headers.get("content-type")).toBe(type);
  }
  const { body } = await put("TIGO", webp("VP8X", "00000000070000070000"));
  expect(body.fields.content).toContain("is 8 × 8");
});

it("the gateway refuses a brand logo in another format and names the remedy", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60"><path d="M0 0h9"/></svg>';
  const remedy = "must be a PNG, JPEG, or WebP picture: export a picture of another format as PNG";
  const refusals: (readonly [Buffer, string])[] = [
    [Buffer.from(svg), remedy],
    [Buffer.from("GIF89a......"), remedy],
    [webp("VP8 ", "0000009d012a78003c00").subarray(0, 28), remedy],
    [png(8, 120), "16 to 2000 pixels"],
  ];
  for (const [picture, why] of refusals) {
    const { status, body } = await put("TIGO", picture);
    expect([status, body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.fields.content).toContain(why);
  }
  const unsure = await put("TIGO", png(64, 64), false);
  expect([unsure.status, Object.keys(unsure.body.fields)]).toEqual([400, ["rightConfirmed"]]);
  expect((await put("NO_SUCH_BRAND", png(64, 64))).status).toBe(404);
});
