import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, it } from "vitest";
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
const svg = (inside: string, head = 'viewBox="0 0 120 60"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${head}>${inside}</svg>`);
const put = (brand: string, picture: Buffer, rightConfirmed: unknown = true) => {
  const body = { content: picture.toString("base64"), rightConfirmed };
  return owner.pos("PUT", `/brand-logos/${brand}`, body);
};
const faceOf = async (wanted: string) => {
  const { list } = (await owner.pos("GET", "/brand-faces")).body;
  const { brand, glyph, logo } = list.find((one: { brand: string }) => one.brand === wanted);
  return { brand, glyph, ...(logo && { logo }) };
};
const read = (digest: string) => fetch(`${gateway.url}/pos/brand-logos/${digest}`);

it("each brand has a drawing, and one that the shop may show has its logo until it is removed", async () => {
  expect(await faceOf("NETFLIX")).toEqual({ brand: "NETFLIX", glyph: "streaming" });
  expect(await faceOf("TIGO")).toEqual({ brand: "TIGO", glyph: "mobile" });
  const picture = png(300, 120);
  const { status, body } = await put("NETFLIX", picture);
  expect([status, await faceOf("NETFLIX")]).toEqual([
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
  expect(await faceOf("NETFLIX")).toEqual({ brand: "NETFLIX", glyph: "streaming" });
  const trail = (await owner.pos("GET", "/audit-trail?limit=20")).body.list;
  const kept = trail.map(({ action, subject }: Record<string, string>) => [action, subject]);
  expect(kept).toEqual(
    expect.arrayContaining([
      ["brand.logo", "NETFLIX"],
      ["brand.no-logo", "NETFLIX"],
    ]),
  );
});

it("an SVG is written anew of its shapes: nothing in it runs, loads or leads elsewhere", async () => {
  const { body } = await put(
    "TIGO",
    svg(
      `<!-- drawn by hand --><defs><linearGradient id="a"><stop offset="0" stop-color="#00f"/></linearGradient></defs>
       <script>alert(1)</script><style>@import url(http://evil.test)</style>
       <foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>
       <image href="http://evil.test/x.png"/><use xlink:href="#a"/><a href="javascript:alert(1)"><path d="M0 0h9"/></a>
       <rect width="120" height="60" fill="url(#a)" onclick="alert(1)" style="fill:url(//evil.test)"/>
       <path d="M1 1L9 9" fill="url(http://evil.test/#a)" stroke='red'/>`,
      'viewBox="0 0 120 60" onload="alert(1)" width="120"',
    ),
  );
  const served = await read(body.logo);
  expect(served.headers.get("content-type")).toBe("image/svg+xml");
  const kept = (await served.text()).replaceAll(/\s+/g, " ");
  expect(kept).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60" width="120" height="60">' +
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#00f"/></linearGradient></defs>' +
      '<rect width="120" height="60" fill="url(#a)"/><path d="M1 1L9 9" stroke="red"/></svg>',
  );
});

it("an SVG keeps the colours that drawing programs write as styles, rules, and of the whole picture", async () => {
  const { status, body } = await put(
    "TIGO",
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
       <svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 120 60" fill="none" stroke="#123456" stroke-width="3"
         class="top"><svg:title>Logo</svg:title><svg:style type="text/css"><![CDATA[
         /* of the program */ .a,.b{fill:#f00;} .b { stroke : blue !important; font-family: Arial } rect{opacity:.5}
         .top{stroke-linecap:round}]]></svg:style>
       <svg:defs><svg:linearGradient id="one"><svg:stop offset="0" style="stop-color:#00f;stop-opacity:1"/></svg:linearGradient>
       <svg:radialGradient id="two" xlink:href="#one" r="5"/></svg:defs>
       <svg:path class="a" d="M0 0h9"/><svg:path class="a b" fill="#0f0" d="M1 1h9"/>
       <svg:rect width="9" height="9" style="fill:url(&quot;#two&quot;);-inkscape-stroke:none;display:none"/></svg:svg>`,
    ),
  );
  expect([status, body.leftOut]).toEqual([200, undefined]);
  const kept = (await (await read(body.logo)).text()).replaceAll(/\s*\n\s*/g, "");
  expect(kept).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60" width="120" height="60" fill="none" stroke="#123456" stroke-width="3" stroke-linecap="round">' +
      '<defs><linearGradient id="one"><stop offset="0" stop-color="#00f" stop-opacity="1"/></linearGradient>' +
      '<radialGradient id="two" href="#one" r="5"/></defs>' +
      '<path d="M0 0h9" fill="#f00"/><path fill="#f00" d="M1 1h9" stroke="blue"/>' +
      '<rect width="9" height="9" opacity=".5" fill="url(#two)" display="none"/></svg>',
  );
});

it("what is left out of an SVG is said by name, and what nobody sees is not", async () => {
  const { body } = await put(
    "TIGO",
    svg(
      `<metadata><x/></metadata><style>.a > .b{fill:red} @media print{.a{fill:red}}</style><text>TIGO</text>
       <image href="data:x"/><use href="#a"/><filter id="f"/><g style="mix-blend-mode:multiply;filter:none">
       <path d="M0 0h9" filter="url(#f)" onclick="x()" inkscape:label="x" data-name="x" fill="url(http://evil.test)"/></g>
       <linearGradient href="http://evil.test/#a"/><script>x()</script><unheard-of/>`,
    ),
  );
  expect(body.leftOut).toEqual([
    { kind: "STYLE", names: ["style"] },
    { kind: "TEXT", names: ["text"] },
    { kind: "PICTURE", names: ["image"] },
    { kind: "COPY", names: ["use"] },
    { kind: "EFFECT", names: ["filter", "mix-blend-mode"] },
    { kind: "ACTIVE", names: ["onclick", "script"] },
    { kind: "OTHER", names: ["fill", "href", "unheard-of"] },
  ]);
  expect(await (await read(body.logo)).text()).not.toMatch(/evil|script|onclick|filter|style/);
});

it.each([
  [
    "rules that make many letters of few",
    `<style>.a{fill:${"a ".repeat(20_000)}}</style>`,
    '<g class="a"/>',
  ],
  ["a comment without an end", `<style>${"/*".repeat(60_000)}</style>`, "<g/>"],
  ["rules without an end", `<style>${"a{".repeat(60_000)}</style>`, "<g/>"],
])("%s are no burden", async (_name, head, one) => {
  const room = 120_000 - head.length;
  const picture = svg(
    head + one.repeat(Math.max(1, Math.min(9_000, Math.floor(room / one.length)))),
  );
  const { status, body } = await put("TIGO", picture);
  const kept = status === 200 ? (await (await read(body.logo)).text()).length : 0;
  expect([200, 400]).toContain(status);
  expect(kept).toBeLessThan(300_000);
});

it("anything else is refused with the field that is at fault", async () => {
  const bomb = "<g>".repeat(200) + "</g>".repeat(200);
  const refusals: (readonly [Buffer, string])[] = [
    [Buffer.from("GIF89a......"), "PNG picture, or an SVG"],
    [png(8, 120), "16 to 2000 pixels"],
    [svg("<path/>", 'viewBox="0 0 5000 10"'), "5000 × 10"],
    [svg("<path/>", "none='1'"), "PNG picture, or an SVG"],
    [svg("<g>"), "PNG picture, or an SVG"],
    [svg(bomb), "PNG picture, or an SVG"],
    [Buffer.concat([Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]>'), svg("<path/>")]), "SVG"],
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
