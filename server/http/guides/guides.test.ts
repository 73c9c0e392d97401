import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM_DIR } from "../../program.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";
import { GUIDES, GuideLibrary } from "./guide-pages.ts";

let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
});
afterAll(() => till.close());

async function read(path: string): Promise<string> {
  const { status, body } = await till.call("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return String(body);
}

function linksOf(page: string): string[] {
  return [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link = ""]) => link);
}

describe("the guides at /docs", () => {
  it("contain every Markdown guide of the project", () => {
    const files = readdirSync(join(PROGRAM_DIR, "docs")).filter((name) => name.endsWith(".md"));
    expect(GUIDES.map(({ name }) => `${name}.md`).sort()).toEqual(files.sort());
  });

  it("lead only to pages, anchors, pictures and samples that exist", async () => {
    const pages = new Map<string, string>();
    const addresses = new Set(["/docs", "/docs/samples", "/docs/search"]);
    for (const { name } of GUIDES) addresses.add(`/docs/${name}`);
    for (const address of addresses) pages.set(address, await read(address));
    const broken: string[] = [];
    for (const address of addresses) {
      for (const link of linksOf(pages.get(address) ?? "")) {
        if (/^(?:https?:|mailto:|data:)/.test(link)) continue;
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? address : path;
        if (!pages.has(target)) pages.set(target, await read(target));
        const isThere = anchor === undefined || pages.get(target)?.includes(`id="${anchor}"`);
        if (!isThere) broken.push(`${address}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("have no script and load nothing from elsewhere", async () => {
    for (const { name } of GUIDES) {
      const page = await till.call("GET", `/docs/${name}`);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = page.headers.get("content-security-policy");
      expect(policy).toMatch(/^default-src 'none';style-src 'self';/);
      expect(policy).not.toContain("unsafe");
      expect(page.body).not.toMatch(/<script|\son\w+=|<iframe|style="/i);
      expect(page.body).not.toMatch(/(?:src|action)="(?:https?:)?\/\//);
      expect(page.body).toContain('<html lang="en">');
    }
  });

  it("find the sections that contain all words, headings first", async () => {
    const page = await read("/docs/search?q=Test%20outcomes");
    const [first] = linksOf(page.slice(page.indexOf("<main")));
    expect(first).toBe("/docs/integrate#test-outcomes");
    expect(await read("/docs/search?q=nosuchwordanywhere")).toContain("0 sections");
  });

  it("show the commands of a package in a package", async () => {
    const library = new GuideLibrary(join(PROGRAM_DIR, "docs"), "tillgate");
    const { markdown = "" } = (await library.find("integrate")) ?? {};
    expect(markdown).toContain("$(tillgate keys create --env test");
    expect(markdown).toContain("| from a clone | `npm run -s tillgate --` |");
  });

  it("show a search text as text", async () => {
    const page = await read(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(page).not.toContain("<script");
    expect(page).toContain("&quot;&gt;&lt;script&gt;");
  });

  it("have a Markdown version, which llms.txt lists", async () => {
    const list = await read("/llms.txt");
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links).toContain("/v1/openapi.json");
    for (const link of links) await read(link);
    expect(await read("/docs/integrate.md")).toMatch(/^# Integrate a program/);
  });

  it.each([
    "/docs/json",
    "/docs/static/swagger-ui.css",
    "/docs/static/%E6%BC%A2",
    "/docs/static/a%25b",
    "/docs/index.html",
  ])("redirect the explorer's old address %s", async (path) => {
    const answer = await fetch(till.url + path, { redirect: "manual" });
    expect(answer.status).toBe(301);
    expect(answer.headers.get("location")).toBe(path.replace("/docs/", "/docs/api/"));
  });

  it.each([
    "/docs/nothing",
    "/docs/..%2fpackage.json",
    "/docs/images/..%2f..%2fpackage.json",
    "/docs/decisions",
  ])("do not serve %s", async (path) => {
    expect((await till.call("GET", path)).status).toBe(404);
  });
});
