import { existsSync } from "node:fs";
import { join } from "node:path";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import type { WebContents, WebContentsPrintOptions } from "electron/main";
import {
  type DesktopPlatform,
  fusedProgram,
  packedFolder,
} from "../../packaging/desktop/packed-folder.ts";

export interface PackedProgram {
  readonly executable: string;
  readonly fused: string;
}

/**
 * @throws Error if `dist` does not contain the program; the message names the command that packs it
 */
export function findPackedProgram(
  dist: string,
  { platform, arch }: { platform: DesktopPlatform; arch: "x64" | "arm64" },
): PackedProgram {
  const fused = join(dist, packedFolder(platform, arch), fusedProgram(platform));
  const executable = platform === "darwin" ? join(fused, "Contents/MacOS/Tillgate") : fused;
  if (existsSync(executable)) return { executable, fused };
  throw new Error(`There is no ${executable}. Run: npm run dist:desktop -- --folder`);
}

/**
 * Permits a debugger, which Playwright needs and the shipped program refuses. Leaves other fuses
 * unchanged.
 */
export async function allowDebugger({ fused }: PackedProgram): Promise<void> {
  await flipFuses(fused, {
    version: FuseVersion.V1,
    // macOS runs a changed program only with a new signature.
    resetAdHocDarwinSignature: fused.endsWith(".app"),
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}

export function launchOptions(executablePath: string, folder: string, env = process.env) {
  const { TILLGATE_UPDATES: _, ...rest } = env;
  return {
    executablePath,
    args: [`--user-data-dir=${join(folder, "user")}`, "--lang=en-GB"],
    env: {
      ...(rest as Record<string, string>),
      TILLGATE_DATA: join(folder, "data"),
      TILLGATE_PORT: "0",
      XDG_CONFIG_HOME: folder,
    },
  };
}

type Main = { webContents: { getAllWebContents(): WebContents[] } };

/** Variable in which `printToPdf` stores the document: base64, or the error. */
export const PRINTED = "tillgatePrinted";

/**
 * Gives every window a printer that writes the page to PDF. Runs in the program's main process,
 * without this module's other code.
 */
export function printToPdf({ webContents }: Main, printed: string): void {
  for (const contents of webContents.getAllWebContents()) {
    Object.assign(contents, {
      getPrintersAsync: async () => [{ name: "PDF" }],
      print: async (
        _: WebContentsPrintOptions,
        done: (success: boolean, reason: string) => void,
      ) => {
        try {
          const pdf = await contents.printToPDF({ preferCSSPageSize: true });
          Reflect.set(globalThis, printed, pdf.toString("base64"));
          done(true, "");
        } catch (error) {
          Reflect.set(globalThis, printed, String(error));
          done(false, String(error));
        }
      },
    });
  }
}
