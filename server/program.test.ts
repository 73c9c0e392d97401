import { expect, it } from "vitest";
import { findInstallation } from "./program.ts";

it("findInstallation detects the kind of installation by the program's location", () => {
  const at = (dir: string, there?: string) =>
    findInstallation({ dir, isSource: false, isThere: (path) => path === there });
  expect(findInstallation()).toBe("SOURCES");
  expect(at("/usr/lib/tillgate/")).toBe("DEBIAN");
  expect(at("/srv/tillgate-0.1.0-linux-x64/")).toBe("ARCHIVE");
  expect(at("/opt/tillgate/", "/.dockerenv")).toBe("CONTAINER");
  expect(at("/opt/tillgate/", "/run/.containerenv")).toBe("CONTAINER");
});
