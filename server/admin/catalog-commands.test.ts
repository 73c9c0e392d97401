import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../testing/place.ts";
import { makePlace } from "../testing/postgres-database.ts";
import { typeCommand } from "../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";

let root: string;
let data: Place;
let server: ServerProcess;
let keys: Record<"test" | "live", string>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-catalog-"));
  data = await makePlace(join(root, "data"));
  server = await startServerProcess(data);
  keys = {
    test: await run("keys create --env test --name t"),
    live: await run("keys create --env live --name l"),
  };
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true });
});

async function run(line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await typeCommand(data, line.split(" "));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.replace(/\n$/, "");
}

async function refuse(line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await typeCommand(data, line.split(" "));
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).not.toMatch(/\n\s+at |node:internal/);
  return stderr.trimEnd();
}

async function get(environment: "test" | "live", path: string) {
  const headers = { authorization: `Bearer ${keys[environment]}` };
  return (await fetch(`${server.url}/v1${path}`, { headers })).json();
}

function file(name: string, content: unknown): string {
  const path = join(root, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 1));
  return path;
}

const PAGE = "?_limit=1024&_offset=0";

describe("catalog export", () => {
  it("writes the same text to a file and to standard output; importing the text changes nothing", {
    tags: ["thorough"],
  }, async () => {
    const path = join(root, "whole.json");
    const printed = await run(`catalog export ${path} --env test`);
    expect(printed).toMatch(
      /^Wrote the catalog of test to .*: \d+ brands, \d+ topups, .* \d+ promos\.$/,
    );
    const text = readFileSync(path, "utf8");
    expect(await run("catalog export --env test")).toBe(text.trimEnd());
    expect(JSON.parse(await run("catalog export --env test --json"))).toEqual(JSON.parse(text));
    expect(Object.keys(JSON.parse(text))).toEqual([
      "brands",
      "topups",
      "vouchers",
      "esim",
      "billpay",
      "promos",
    ]);

    const report = await run(`catalog import ${path} --env test`);
    expect(report).toContain(
      "The catalog of test holds what whole.json says: nothing was changed.",
    );
    expect(report).toMatch(/topups +0 +0 +0\n/);
    expect(JSON.parse(await run(`catalog import ${path} --env test --json`))).toMatchObject({
      version: 1,
      changed: false,
    });
    await run(`catalog export ${path} --env test`);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("exports an empty file for an environment without a catalog", async () => {
    const empty = { brands: [], topups: [], vouchers: [], esim: [], billpay: [], promos: [] };
    expect(JSON.parse(await run("catalog export --env live"))).toEqual(empty);
  });

  it("reports why a file cannot be written, and leaves no partial file", async () => {
    const path = join(root, "no-such", "file.json");
    expect(await refuse(`catalog export ${path} --env test`)).toBe(
      `${path} cannot be written: there is no such file or directory.`,
    );
    expect(await refuse(`catalog export ${root} --env test`)).toMatch(/cannot be written: /);
    expect(existsSync(join(root, "no-such"))).toBe(false);
    expect(readdirSync(join(root, "..")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("catalog import", () => {
  it("gives the live environment a catalog that the gateway serves from the next request on", async () => {
    const path = join(root, "sold.json");
    await run(`catalog export ${path} --env test`);
    const { brands, topups, promos } = JSON.parse(readFileSync(path, "utf8"));
    const total = async () => (await get("live", `/topups/offers${PAGE}`)).total;
    expect(await total()).toBe(0);
    const first = file("live.json", { brands, topups: topups.slice(0, 3), promos });
    const report = await run(`catalog import ${first} --env live`);
    expect(report.split("\n")[0]).toBe(
      "Imported live.json into live: the catalog is at version 1.",
    );
    expect(report).toMatch(/topups +3 +0 +0\n/);
    expect(await total()).toBe(3);

    const changed = { ...topups[1], enabled: false, updatedAt: "2026-03-01T00:00:00.000Z" };
    const second = file("list.json", [topups[0], changed, topups[5]]);
    expect(JSON.parse(await run(`catalog import ${second} --env live --json`))).toEqual({
      environment: "live",
      source: "list.json",
      version: 2,
      changed: true,
      sections: { topups: { added: 1, changed: 1, removed: 1 } },
    });
    expect(await get("live", `/topups/offers/${changed.offerId}`)).toEqual(changed);
    expect((await get("live", `/topups/offers/${topups[2].offerId}`)).errorCode).toBe("NOT_FOUND");
    expect((await get("test", `/topups/offers/${topups[2].offerId}`)).offerId).toBe(
      topups[2].offerId,
    );
    expect((await get("live", `/promos${PAGE}`)).total).toBe(promos.length);
  });

  it("names the line and field of each error, and changes nothing", async () => {
    const before = await run("catalog export --env test");
    const { topups } = JSON.parse(before);
    const broken = file("broken.json", [
      { ...topups[0], enabled: "yes" },
      { ...topups[1], brand: "NOBODY" },
    ]);
    const [head, first, second, ...rest] = (
      await refuse(`catalog import ${broken} --env test`)
    ).split("\n");
    expect(head).toBe(`${broken} was not imported:`);
    expect(first).toBe("line 9: [0].enabled must be boolean.");
    expect(second).toMatch(
      /^line \d+: \[1\]\.brand is NOBODY, which is not a brand of the catalog\.$/,
    );
    expect(rest).toEqual([]);
    expect(await run("catalog export --env test")).toBe(before);
  });

  it("reports why a file cannot be read", async () => {
    const nowhere = join(root, "nowhere.json");
    expect(await refuse(`catalog import ${nowhere} --env test`)).toBe(
      `${nowhere} cannot be read: there is no such file or directory.`,
    );
    expect(await refuse(`catalog import ${root} --env test`)).toMatch(
      /cannot be read: it is a directory/,
    );
    const open = file("open.json", '{"topups": [\n');
    expect(await refuse(`catalog import ${open} --env test`)).toBe(
      `${open} was not imported:\nline 2, column 1: the text ends where a value was expected.`,
    );
    expect(await refuse("catalog import --env test")).toBe("catalog import needs a FILE.");
    expect(await refuse(`catalog import ${open}`)).toBe("--env is required.");
  });
});
