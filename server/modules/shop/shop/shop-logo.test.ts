import { createHash } from "node:crypto";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

const SOLD = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251230000" };

let gateway: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
});
afterAll(() => gateway.close());

const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }));
/** Returns the start of a JPEG, in which the segment with the size follows an unrelated segment. */
const jpeg = (width: number, height: number) => {
  const head = Buffer.from("ffd8ffe000040102ffc2000b080000000001011100ffd9", "hex");
  head.writeUInt16BE(height, 13);
  head.writeUInt16BE(width, 15);
  return head;
};
const put = (picture: Buffer) =>
  owner.pos("PUT", "/shop/logo", { content: picture.toString("base64") });
const inUse = async () => (await gateway.call("GET", "/pos/status")).body.logo;

it("the gateway accepts a PNG or JPEG logo, serves it unchanged, prints it on receipts, and removes it", async () => {
  const picture = png(300, 120);
  const digest = createHash("sha256").update(picture).digest("hex");
  const taken = await put(picture);
  expect(taken.body).toEqual({ logo: { digest, width: 300, height: 120 } });
  expect(await inUse()).toEqual(taken.body.logo);
  const served = await fetch(`${gateway.url}/pos/shop/logo/${digest}`);
  expect(served.headers.get("content-type")).toBe("image/png");
  expect(served.headers.get("x-content-type-options")).toBe("nosniff");
  expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true);

  const sold = await owner.sell([SOLD]);
  const receipt = await owner.pos("POST", `/sales/${sold.body.saleId}/prints`, {});
  expect(receipt.body.logo).toEqual(taken.body.logo);

  const other = await put(jpeg(640, 200));
  expect(other.body.logo).toMatchObject({ width: 640, height: 200 });
  expect((await fetch(`${gateway.url}/pos/shop/logo/${digest}`)).status).toBe(404);
  expect((await owner.pos("DELETE", "/shop/logo")).body).toEqual({});
  expect(await inUse()).toBeUndefined();
  const trail = (await owner.pos("GET", "/audit-trail?limit=20")).body.list;
  const actions = trail.map(({ action }: { action: string }) => action);
  expect(actions.filter((one: string) => one.startsWith("shop."))).toEqual(
    expect.arrayContaining(["shop.logo", "shop.no-logo"]),
  );
});

it("the gateway refuses logos in other formats and names the remedy", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  for (const [picture, why] of [
    [svg, "PNG or JPEG picture: export a picture of another format as PNG"],
    [Buffer.from("GIF89a......"), "PNG or JPEG"],
    [png(300, 120).subarray(0, 40), "PNG or JPEG"],
    [png(8, 120), "16 to 2000 pixels"],
    [jpeg(640, 2001), "640 × 2001"],
  ] as const) {
    const refused = await put(Buffer.from(picture));
    expect([refused.status, refused.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect(refused.body.fields.content).toContain(why);
  }
  expect(await inUse()).toBeUndefined();
});
