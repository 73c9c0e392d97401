import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMutatingProxy } from "../../server/testing/mutating-proxy.ts";
import { startTestGateway } from "../../server/testing/test-gateway.ts";
import { VERSION } from "../../server/version.ts";
import { makeClientPackage } from "./client-package.ts";

const ROOT = join(import.meta.dirname, "../..");
const MODULES = join(ROOT, "node_modules");

const PROGRAM = `
import { createTillgateClient, type TopupPurchase } from "@tillgate/client";

const { TILLGATE_URL: baseUrl = "", TILLGATE_KEY: apiKey = "" } = process.env;
const client = createTillgateClient({ baseUrl, apiKey });
// @ts-expect-error a top-up needs the number of its recipient
const incomplete: Parameters<typeof client.purchase<"topups">>[1] = { offerId: "TIGO_GT_TOPUP_25" };
const purchase: TopupPurchase = await client.purchaseAndWait("topups", {
  ...incomplete,
  recipientPhoneNumber: "+50251234567",
});
const code: string | undefined = purchase.error?.code;
console.log(purchase.status, code ?? "");
`;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-client-package-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("the packed API client", { tags: ["thorough"] }, () => {
  it("compiles and sells in a separate project", async () => {
    const file = await makeClientPackage(ROOT, dir, VERSION);
    const names = execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).trim().split("\n");
    expect(names).toEqual(
      expect.arrayContaining(
        ["README.md", "LICENSE", "dist/index.d.ts"].map((n) => `package/${n}`),
      ),
    );
    expect(
      names.filter((name) => !/^package\/(dist\/[\w-]+\.(js|d\.ts)|[^/]+)$/.test(name)),
    ).toEqual([]);

    const installed = join(dir, "node_modules/@tillgate/client");
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", file, "--strip-components=1", "-C", installed]);
    for (const name of ["openapi-fetch", "openapi-typescript-helpers", "standardwebhooks"]) {
      symlinkSync(join(MODULES, name), join(dir, "node_modules", name));
    }
    writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
    writeFileSync(join(dir, "sell.ts"), PROGRAM);
    const compiler = join(MODULES, "typescript/bin/tsc");
    const types = ["--types", "node", "--typeRoots", join(MODULES, "@types")];
    const settings = ["--strict", "--module", "nodenext", "--target", "es2022", ...types];
    const compiled = spawnSync(process.execPath, [compiler, ...settings, "sell.ts"], {
      cwd: dir,
      encoding: "utf8",
    });
    expect(compiled.stdout).toBe("");

    const gateway = await startTestGateway();
    const proxy = await startMutatingProxy(() => gateway.url);
    try {
      const env = { ...process.env, TILLGATE_URL: proxy.url, TILLGATE_KEY: gateway.key("test") };
      const child = spawn(process.execPath, [join(dir, "sell.js")], { env });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      }
      // Advances the clock after each response, so that the purchase is final at the next read.
      proxy.onAnswer = () => {
        gateway.clock.set(gateway.clock.now() + 1_000);
      };
      await once(child, "close");
      expect(output).toBe("DONE \n");
    } finally {
      await proxy.close();
      await gateway.close();
    }
  });

  it("must have the version of the release", async () => {
    await expect(makeClientPackage(ROOT, dir, "99.0.0")).rejects.toThrow(
      `packages/client/package.json says ${VERSION}, package.json 99.0.0.`,
    );
  });
});
