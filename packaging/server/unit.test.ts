import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const unit = read("files/systemd/tillgate.service");

it("the systemd unit does not restart a service that would fail again for the same reason", () => {
  const [, status] = /^const LASTING = (\d+);$/m.exec(read("../../server/main.ts")) ?? [];
  expect(unit).toMatch(/^Restart=on-failure$/m);
  expect(unit).toContain(`\nRestartPreventExitStatus=${status}\n`);
});

function mayWrite(path: string, added = ""): boolean {
  const allowed = [...`${unit}${added}`.matchAll(/^ReadWritePaths=(.*)$/gm)].flatMap(
    ([, paths = ""]) => paths.split(" "),
  );
  // The "-" permits a missing folder: a missing disk must not stop the shop.
  for (const one of allowed) expect(one).toMatch(/^-\//);
  return allowed.some((one) => `${path}/`.startsWith(`${one.slice(1)}/`));
}

it.each(["files/tillgate.conf", "../../docs/install.md"])(
  "the systemd unit lets the service write backups to the folders named in %s, with its printed command",
  (file) => {
    const text = read(file).replaceAll(/^# +/gm, "");
    expect(unit).toContain("\nProtectSystem=strict\n");
    const [, usual = ""] =
      /^sudo install -d -o tillgate -g tillgate -m 0700 (\S+)$/m.exec(text) ?? [];
    expect(mayWrite(usual)).toBe(true);
    const [, added = "", to] = /^printf '(.*)' \| sudo tee (\S+)$/m.exec(text) ?? [];
    expect(to).toMatch(/^\/etc\/systemd\/system\/tillgate\.service\.d\/\w+\.conf$/);
    const line = added.replaceAll("\\n", "\n");
    expect(line).toMatch(/^\[Service\]\nReadWritePaths=-\S+\n$/);
    const [, elsewhere = ""] = /=-(\S+)/.exec(line) ?? [];
    expect([mayWrite(elsewhere), mayWrite(elsewhere, line)]).toEqual([false, true]);
    const named = /below ([^.]+)\./.exec(text)?.[1]?.match(/\/[a-z/]+/g);
    expect(named).toHaveLength(4);
    for (const folder of named ?? []) expect(mayWrite(folder), folder).toBe(true);
  },
);
