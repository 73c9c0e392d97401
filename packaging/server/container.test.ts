import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const FILES = join(import.meta.dirname, "files");
const read = (path: string) => readFileSync(join(FILES, path), "utf8");
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));

const instructions = read("container/Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll("\\\n", " ")
  .split("\n")
  .flatMap((line) => {
    const [, name = "", value = ""] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
    return name === "" ? [] : [{ name, value }];
  });
const all = (name: string) =>
  instructions.filter((one) => one.name === name).map(({ value }) => value);
const one = (name: string) => {
  expect(all(name), name).toHaveLength(1);
  return all(name)[0] ?? "";
};
const compose = parse(read("container/compose.yaml"));
const service = compose.services.tillgate;
const environment = Object.fromEntries(
  all("ENV").flatMap((line) => line.split(/\s+/).map((pair) => pair.split("="))),
);

describe("the container's files", () => {
  it("use the project's version of Node", () => {
    const [major] = manifest.devDependencies.node.split(".");
    expect(one("FROM")).toMatch(new RegExp(`^node:${major}-`));
    expect(all("FROM")[0]).not.toContain("alpine");
  });

  it("run the command at its path in the unpacked archive", () => {
    const [source, program] = one("COPY").split(/\s+/);
    expect(source).toBe(".");
    const [, target = "", link] = /ln -s (\S+) (\S+)$/.exec(all("RUN").at(-1) ?? "") ?? [];
    expect(target.startsWith(`${program}/`)).toBe(true);
    expect(existsSync(join(FILES, target.slice(`${program}/`.length)))).toBe(true);
    expect(link).toMatch(/^\/usr\/local\/bin\//);
    expect(JSON.parse(one("ENTRYPOINT"))).toEqual([link?.split("/").at(-1)]);
    expect(read("bin/tillgate")).toContain(`"$word" = ${JSON.parse(one("CMD"))[0]} ]`);
    const { context, dockerfile } = service.build;
    expect(join("container", context)).toBe(".");
    expect(existsSync(join(FILES, "container", context, dockerfile))).toBe(true);
    const guide = readFileSync(join(import.meta.dirname, "../../docs/install.md"), "utf8");
    const [, named = ""] = /docker compose -f (\S+)/.exec(guide) ?? [];
    expect(existsSync(join(FILES, named))).toBe(true);
  });

  it("store the data in a volume that a user other than root owns", () => {
    const data = environment.TILLGATE_DATA;
    expect(one("VOLUME")).toBe(data);
    const [, user] =
      /^useradd .*--home-dir (?:\S+) --create-home (\S+)$/.exec(all("RUN")[0] ?? "") ?? [];
    expect(all("RUN")[0]).toContain(`--home-dir ${data} `);
    expect(one("USER")).toBe(user);
    const [volume, mounted] = service.volumes[0].split(":");
    expect([Object.keys(compose.volumes), mounted]).toEqual([[volume], data]);
    const known = readFileSync(join(import.meta.dirname, "../../server/config/env.ts"), "utf8");
    for (const name of Object.keys(environment)) expect(known, name).toContain(name);
  });

  it("publish only the till's TLS port with enrolment, and check readiness inside the container", () => {
    const port = one("EXPOSE");
    expect(environment.TILLGATE_TILL_LISTEN).toBe(`0.0.0.0:${port}`);
    expect(service.ports).toEqual([`${port}:${port}`]);
    // Plain HTTP is not reachable from outside the container.
    for (const name of ["TILLGATE_HOST", "TILLGATE_INSECURE_HTTP"]) {
      expect([environment[name], service.environment[name]]).toEqual([undefined, undefined]);
    }
    const usual = readFileSync(join(import.meta.dirname, "../../server/config/config.ts"), "utf8");
    const [, machine] = /DEFAULT_PORT = (\d+);/.exec(usual) ?? [];
    expect(one("HEALTHCHECK")).toContain(`http://127.0.0.1:${machine}/readyz`);
  });

  it("give unfinished sales as much time to finish as the systemd service does", () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read("systemd/tillgate.service")) ?? [];
    expect(service.stop_grace_period).toBe(`${seconds}s`);
    expect(one("STOPSIGNAL")).toBe("SIGTERM");
    expect(service.restart).toBe("unless-stopped");
  });
});
