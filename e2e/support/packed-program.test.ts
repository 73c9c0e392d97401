import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInThisContext } from "node:vm";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import type { WebContents } from "electron/main";
import PDFDocument from "pdfkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printReceipt } from "../../electron/printing/print-receipt.ts";
import { SessionStandIn, WebContentsStandIn } from "../../electron/testing/window-stand-in.ts";
import { makeStandInRuntime } from "../../packaging/desktop/desktop-package.ts";
import { requireReceipt } from "../pages/first-sale.ts";
import {
  allowDebugger,
  findPackedProgram,
  launchOptions,
  PRINTED,
  printToPdf,
} from "./packed-program.ts";

let dist: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), "tillgate-packed-"));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

describe("the packed desktop program", () => {
  it.each([
    ["linux", "x64", "linux-unpacked/tillgate"],
    ["linux", "arm64", "linux-arm64-unpacked/tillgate"],
    ["win32", "x64", "win-unpacked/Tillgate.exe"],
    ["darwin", "x64", "mac/Tillgate.app/Contents/MacOS/Tillgate"],
    ["darwin", "arm64", "mac-arm64/Tillgate.app/Contents/MacOS/Tillgate"],
  ] as const)("has its executable for %s %s at %s", (platform, arch, name) => {
    const target = { platform, arch };
    expect(() => findPackedProgram(dist, target)).toThrow("Run: npm run dist:desktop -- --folder");
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    writeFileSync(join(dist, name), "");
    const { executable, fused } = findPackedProgram(dist, target);
    expect(executable).toBe(join(dist, name));
    expect(fused.endsWith(".app")).toBe(platform === "darwin");
  });

  it("lets a debugger attach, and leaves every other fuse unchanged", async () => {
    await makeStandInRuntime(dist, "1.0.0");
    const fused = join(dist, "tillgate");
    renameSync(join(dist, "electron"), fused);
    const before = await getCurrentFuseWire(fused);
    expect(before[FuseV1Options.EnableNodeCliInspectArguments]).toBe(FuseState.DISABLE);
    await allowDebugger({ executable: fused, fused });
    expect(await getCurrentFuseWire(fused)).toEqual({
      ...before,
      [FuseV1Options.EnableNodeCliInspectArguments]: FuseState.ENABLE,
    });
  });

  it("starts with its own data and settings, on a free port, without updates", () => {
    const inherited = { PATH: "/bin", TILLGATE_DATA: "/shop", TILLGATE_UPDATES: "https://feed" };
    const { args, env } = launchOptions("/tillgate", dist, inherited);
    expect(args).toContain(`--user-data-dir=${join(dist, "user")}`);
    expect(env).toEqual({
      PATH: "/bin",
      TILLGATE_DATA: join(dist, "data"),
      TILLGATE_PORT: "0",
      XDG_CONFIG_HOME: dist,
    });
  });
});

describe("the PDF printer of the desktop test", () => {
  const options = { paperWidthMm: 80, paperHeightMm: 120 } as const;

  async function print(printToPDF: () => Promise<Buffer>) {
    const standIn = Object.assign(new WebContentsStandIn(new SessionStandIn()), { printToPDF });
    standIn.printers = [];
    const contents = standIn as unknown as WebContents;
    // Playwright passes the function as source into another process.
    const handedOver = runInThisContext(`(${printToPdf.toString()})`) as typeof printToPdf;
    handedOver({ webContents: { getAllWebContents: () => [contents] } }, PRINTED);
    return printReceipt(contents, options);
  }

  it("receives a receipt that the till prints", async () => {
    expect(await print(async () => Buffer.from("paper"))).toEqual({ printed: true });
    expect(Reflect.get(globalThis, PRINTED)).toBe(Buffer.from("paper").toString("base64"));
  });

  it("reports a page that cannot be written to PDF", async () => {
    const failed = await print(() => Promise.reject(new Error("no page")));
    expect(failed).toEqual({ printed: false, reason: "FAILED" });
    expect(Reflect.get(globalThis, PRINTED)).toBe("Error: no page");
  });

  it("fails the test if the PDF does not contain the receipt of the sale", async () => {
    const pdf = (text: string) =>
      new Promise<Buffer>((done) => {
        const document = new PDFDocument();
        const chunks: Buffer[] = [];
        document.on("data", (chunk) => chunks.push(chunk));
        document.on("end", () => done(Buffer.concat(chunks)));
        document.text(text).end();
      });
    await requireReceipt(await pdf("Tienda Sol 000001 +502 5123 4567"));
    await expect(pdf("Tienda Sol 000002").then(requireReceipt)).rejects.toThrow('lacks "000001"');
    await expect(requireReceipt(Buffer.from("no document"))).rejects.toThrow("PDF");
  });
});
