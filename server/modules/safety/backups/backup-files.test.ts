import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { backupName, type ChainedFile, listSurplus, takenAtOf } from "./backup-files.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

function fullAt(takenAt: number): ChainedFile {
  const name = backupName(takenAt, "FULL");
  return { file: `/backups/${name}`, name, takenAt, sizeBytes: 1, id: name };
}

function incrementAt(takenAt: number, follows: string | undefined): ChainedFile {
  const name = backupName(takenAt, "INCREMENT");
  return { file: `/backups/${name}`, name, takenAt, sizeBytes: 1, id: name, follows };
}

function keptOf(backups: ChainedFile[], now = NOW): ChainedFile[] {
  const surplus = new Set(listSurplus(backups, now));
  return backups.filter((backup) => !surplus.has(backup));
}

/** Adds a backup. The first of a day is a full copy; each other one follows the previous backup. */
function addBackup(backups: readonly ChainedFile[], at: number): ChainedFile[] {
  const last = backups.at(-1);
  const isFirst = !last || Math.floor(last.takenAt / DAY) !== Math.floor(at / DAY);
  return [...backups, isFirst ? fullAt(at) : incrementAt(at, last.id)];
}

function listBroken(backups: readonly ChainedFile[]): ChainedFile[] {
  const ids = new Set(backups.map(({ id }) => id));
  return backups.filter(({ follows }) => follows !== undefined && !ids.has(follows));
}

describe("the name of a backup", () => {
  it("contains the time of the backup to the second", () => {
    expect(backupName(NOW, "FULL")).toBe("tillgate-20261120T120000Z.backup");
    expect(backupName(NOW, "INCREMENT")).toBe("tillgate-20261120T120000Z.increment");
    const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
    const kind = fc.constantFrom("FULL", "INCREMENT");
    fc.assert(
      fc.property(instant, kind, (date, of) => {
        const second = Math.floor(date.getTime() / 1_000) * 1_000;
        expect(takenAtOf(backupName(date.getTime(), of))).toBe(second);
      }),
    );
  });

  it.each(["tillgate.db", ".tillgate-x.part", "tillgate-20261120T120000Z.backup.gz", "notes.txt"])(
    "does not match %s",
    (name) => expect(takenAtOf(name)).toBeUndefined(),
  );
});

describe("the retention of backups", () => {
  it("covers the last 24 hours, 7 days and 6 months of a gateway that never stops", () => {
    let backups: ChainedFile[] = [];
    for (let at = NOW - 200 * DAY; at <= NOW; at += HOUR) {
      backups = keptOf(addBackup(backups, at), at);
    }
    const stamp = ({ takenAt }: ChainedFile) => new Date(takenAt).toISOString().slice(0, 13);
    const full = backups.filter(({ follows }) => follows === undefined);
    expect(full.map(stamp)).toEqual([
      // The last full copy of each earlier month, followed by that of each day.
      "2026-06-30T00",
      "2026-07-31T00",
      "2026-08-31T00",
      "2026-09-30T00",
      "2026-10-31T00",
      "2026-11-14T00",
      "2026-11-15T00",
      "2026-11-16T00",
      "2026-11-17T00",
      "2026-11-18T00",
      "2026-11-19T00",
      "2026-11-20T00",
    ]);
    // The 24 newest copies, since yesterday afternoon, and all their predecessors of yesterday.
    expect(backups.filter(({ follows }) => follows).map(stamp)).toEqual(
      Array.from({ length: 36 }, (_, n) => stamp(fullAt(NOW - (35 - n) * HOUR))).filter(
        (hour) => !hour.endsWith("T00"),
      ),
    );
  });

  it("retains full copies of the last 7 open days and of 6 months for a rarely open shop", () => {
    const weekly = Array.from({ length: 60 }, (_, n) => fullAt(NOW - n * 7 * DAY));
    const kept = keptOf(weekly);
    expect(kept.slice(0, 7)).toEqual(weekly.slice(0, 7));
    expect(kept).toHaveLength(11);
  });

  it("retains backups dated in the future by a wrong clock in addition to those with correct dates", () => {
    const past = Array.from({ length: 24 }, (_, n) => fullAt(NOW - n * HOUR));
    const ahead = Array.from({ length: 24 }, (_, n) => fullAt(NOW + 365 * DAY + n * HOUR));
    expect(keptOf([...past, ...ahead])).toEqual([...past, ...ahead]);
    expect(keptOf([...past, ...ahead], NOW - 3_650 * DAY).length).toBeGreaterThanOrEqual(24);
  });

  it("retains every copy that an increment needs or that a person named", () => {
    const chain = [fullAt(NOW - 30 * MINUTE)];
    for (let age = 29; age > 0; age--) {
      chain.push(incrementAt(NOW - age * MINUTE, chain.at(-1)?.id));
    }
    const named = { ...fullAt(NOW - 900 * DAY), name: "before the move.backup" };
    expect(keptOf([named, ...chain])).toEqual([named, ...chain]);
    const old = Array.from({ length: 30 }, (_, n) => fullAt(NOW - 3 * DAY - n * HOUR));
    expect(keptOf([...old, ...chain])).toEqual(expect.arrayContaining(chain));
  });

  it("retains the newest backup and complete chains, and no surplus full copies", () => {
    const ages = fc.uniqueArray(fc.integer({ min: -60 * 24 * 60, max: 400 * 24 * 60 }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(ages, (minutes) => {
        const times = minutes.map((age) => NOW - age * MINUTE).toSorted((a, b) => a - b);
        const backups = times.reduce<ChainedFile[]>(addBackup, []);
        const kept = keptOf(backups);
        expect(listBroken(kept)).toEqual([]);
        const full = kept.filter(({ follows }) => follows === undefined);
        expect(full.length).toBeLessThanOrEqual(2 * (4 + 7 + 6));
        const past = backups.filter(({ takenAt }) => takenAt <= NOW);
        const newest = past.at(-1);
        if (newest) expect(kept).toContain(newest);
        expect(listSurplus(kept, NOW)).toEqual([]);
      }),
    );
  });
});
