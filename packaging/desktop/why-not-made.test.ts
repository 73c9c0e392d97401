import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sayWhyNotMade } from "./desktop-package.ts";

it("a failed download is reported in one line with the missing files and their source", () => {
  const error = Object.assign(new Error("getaddrinfo ENOTFOUND github.com"), {
    name: "RequestError",
    code: "ENOTFOUND",
  });
  const line = sayWhyNotMade(error, "win32");
  expect(line).toMatch(
    /^Not made: getaddrinfo ENOTFOUND github\.com\. It needs the network once: /,
  );
  expect(line).toContain("NSIS");
  expect(line).toContain("--stand-in --folder");
  expect(line).not.toContain("\n");
});

it("an error other than a failed download is reported in one line without mentioning the network", () => {
  const error = new Error("fpm: no space left\nstdout: …");
  expect(sayWhyNotMade(error, "linux")).toBe("Not made: fpm: no space left");
  expect(sayWhyNotMade("broken", "linux")).toBe("Not made: broken");
});

it("a failed build for another system reports the system that the build needs", () => {
  const other = process.platform === "win32" ? ["darwin", "macOS"] : ["win32", "Windows"];
  const script = join(import.meta.dirname, "dist-desktop.ts");
  const made = spawnSync(process.execPath, [script, "--platform", other[0]!], { encoding: "utf8" });
  expect([made.status, made.stdout]).toEqual([1, ""]);
  expect(made.stderr).toMatch(new RegExp(`^Not made: .* needs a machine with ${other[1]}, .*\\n$`));
});
