import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { desktopConfig } from "../desktop/desktop-package.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const workflow = read(".github/workflows/release.yml");
const pullRequests = read(".github/workflows/ci.yml");
const manifest = JSON.parse(read("package.json"));

function find(pattern: RegExp, text = workflow): string[] {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

it("the public workflow runs the project's scripts with valid options", () => {
  const steps = [...workflow.matchAll(/- run: npm run (\S+)(.*)/g)];
  expect(steps.map(([, name]) => name)).toEqual(["release:check", "dist:desktop"]);
  for (const [, name = "", given = ""] of steps) {
    const [, file = ""] = /^node (\S+\.ts)$/.exec(manifest.scripts[name] ?? "") ?? [];
    const taken = [...read(file).matchAll(/^ {4}"?([\w-]+)"?: \{ type: "(?:string|boolean)"/gm)];
    const options = [...given.matchAll(/ "?--([a-z-]+)/g)].map(([, option]) => option);
    expect(options.length, name).toBeGreaterThan(0);
    expect(taken.map(([, option]) => option)).toEqual(expect.arrayContaining(options));
    // Option and value are one word, because an unset variable would leave the option without a
    // value.
    expect(given).not.toMatch(/ --\S+ \$\{\{ (vars|secrets)/);
  }
});

it("the public workflow requires the feed's key for shops, and has no write permission", () => {
  const [server = "", desktop = ""] = workflow.split(/^ {2}desktop:$/m);
  expect(desktop).toMatch(/^ {4}needs: server$/m);
  const withKey = " .*\\n {8}env:\\n {10}UPDATE_FEED_KEY:";
  expect(server).toMatch(new RegExp(`npm run release:check -- --tag${withKey}`));
  expect(desktop).toMatch(new RegExp(`npm run dist:desktop -- --release${withKey}`));
  expect(workflow).toContain("\npermissions:\n  contents: read\njobs:\n");
  expect(find(/(permissions):/g)).toHaveLength(1);
  expect(workflow).not.toMatch(/GITHUB_TOKEN|git push|gh release/);
});

it("the public workflow pins each action, and uses the project's Node", () => {
  const uses = [...find(/uses: (\S+)/g), ...find(/uses: (\S+)/g, pullRequests)];
  expect(new Set(uses).size).toBe(new Set(uses.map((use) => use.split("@")[0])).size);
  for (const use of uses) expect(use).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
  const [major] = manifest.devDependencies.node.split(".");
  for (const file of [workflow, pullRequests]) {
    expect(new Set(find(/node-version: (\d+)/g, file))).toEqual(new Set([major]));
  }
  expect(manifest.engines.node).toBe(`>=${major}`);
});

it("builds read every variable of the public workflow, and the manual documents each variable", () => {
  const packaging = globSync("packaging/**/*.ts", { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts"))
    .map(read)
    .join("");
  // electron-builder itself reads these variables.
  const packers = ["CSC_KEY_PASSWORD", "WIN_CSC_KEY_PASSWORD", "APPLE_API_KEY_ID"];
  const given = find(/^ {10}([A-Z_]+): \$\{\{/gm);
  expect(given.length).toBeGreaterThan(5);
  for (const name of given) {
    const isRead = new RegExp(`\\b${name}\\b`).test(packaging);
    expect(isRead || [...packers, "APPLE_API_ISSUER"].includes(name), name).toBe(true);
  }
  expect(workflow).toMatch(/> "\$RUNNER_TEMP\/apple-api-key\.p8"/);
  expect(workflow).toContain("format('{0}/apple-api-key.p8', runner.temp)");
  const guide = read("docs/release.md");
  for (const name of find(/(?:secrets|vars)\.([A-Z_]+)/g)) expect(guide).toContain(`\`${name}\``);
});

it("the public workflow builds for each system and processor, and stores each kind of installer", () => {
  const builds = find(/- \{ (os: .*) \}/g);
  const systems = ["ubuntu", "windows", "macos"];
  expect(builds).toEqual(
    systems.flatMap((os) => ["x64", "arm64"].map((arch) => `os: ${os}-latest, arch: ${arch}`)),
  );
  for (const name of find(/matrix\.(\w+)/g)) expect(["os", "arch"]).toContain(name);
  const icons = { linux: "", windows: "", mac: "" };
  const signing = { windows: false, mac: false, notarised: false };
  const { linux, mac } = desktopConfig({
    electronVersion: "1.0.0",
    runtime: undefined,
    icons,
    output: "",
    feed: undefined,
    signing,
    afterRemove: "",
  });
  const targets = [linux?.target, mac?.target].flat().map(String);
  expect(targets).toEqual(["AppImage", "deb", "dmg", "zip"]);
  const kept = find(/^ {12}dist\/(\S+)$/gm);
  for (const kind of [...targets, "exe", "blockmap"]) expect(kept).toContain(`*.${kind}`);
  expect(kept.filter((kind) => kind === "*.cdx.json")).toHaveLength(2);
  expect(kept).toEqual(expect.arrayContaining(["latest*.yml", "SHA256SUMS", "*.tar.gz"]));
});

it("the public workflow runs every check for a pull request, and the packed program on each system, without write permission", () => {
  const commands = find(/run: (.+)/g, pullRequests);
  expect(commands).toEqual([
    "npm ci",
    "npm run build",
    "npm run test:nightly",
    ".ci/run",
    "npm ci",
    "npm run dist:desktop -- --folder",
    "xvfb-run -a npm run test:desktop",
    "npm run test:desktop",
  ]);
  expect(find(/^ {4}if: (github\.event_name .*)$/gm, pullRequests)).toEqual([
    "github.event_name == 'schedule'",
    "github.event_name != 'schedule'",
    "github.event_name != 'schedule'",
  ]);
  expect(manifest.scripts["test:desktop"]).toBe("node e2e/desktop-program.ts");
  expect(pullRequests).toMatch(/^ {8}os: \[ubuntu-latest, windows-latest, macos-latest\]$/m);
  expect(pullRequests).toContain("\non:\n  pull_request:\n");
  expect(pullRequests).toContain("\npermissions:\n  contents: read\njobs:\n");
  expect(pullRequests).not.toMatch(/secrets\.|pull_request_target|: write/);
});
