import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { type BackupFile, backupName, listSurplus, takenAtOf } from "./backup-files.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

function backupAt(takenAt: number): BackupFile {
  const name = backupName(takenAt);
  return { file: `/backups/${name}`, name, takenAt, sizeBytes: 1 };
}

function keptOf(backups: BackupFile[], now = NOW): BackupFile[] {
  const surplus = new Set(listSurplus(backups, now));
  return backups.filter((backup) => !surplus.has(backup));
}

describe("the name of a backup", () => {
  it("says when it was taken, to the second", () => {
    expect(backupName(NOW)).toBe("tillgate-20261120T120000Z.backup");
    const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, (date) => {
        const second = Math.floor(date.getTime() / 1_000) * 1_000;
        expect(takenAtOf(backupName(date.getTime()))).toBe(second);
      }),
    );
  });

  it.each(["tillgate.db", ".tillgate-x.part", "tillgate-20261120T120000Z.backup.gz", "notes.txt"])(
    "is not %s",
    (name) => expect(takenAtOf(name)).toBeUndefined(),
  );
});

describe("which backups are kept", () => {
  it("the last 24 of a gateway that never stops, 7 days, 4 weeks", () => {
    let backups: BackupFile[] = [];
    const start = NOW - 60 * DAY;
    for (let at = start; at <= NOW; at += HOUR) {
      backups = keptOf([...backups, backupAt(at)], at);
    }
    const times = backups.map(({ takenAt }) => new Date(takenAt).toISOString().slice(0, 13));
    expect(times.slice(-24)).toHaveLength(24);
    expect(times.slice(0, -24)).toEqual([
      // The last of each week before this one, then the last of each day before yesterday noon.
      "2026-11-01T23",
      "2026-11-08T23",
      "2026-11-14T23",
      "2026-11-15T23",
      "2026-11-16T23",
      "2026-11-17T23",
      "2026-11-18T23",
    ]);
  });

  it("those of a shop that is open an hour a week: 24 of them", () => {
    const weekly = Array.from({ length: 60 }, (_, n) => backupAt(NOW - n * 7 * DAY));
    expect(keptOf(weekly)).toEqual(weekly.slice(0, 24));
  });

  it("those that a wrong clock has dated ahead beside the others: neither crowds the other out", () => {
    const past = Array.from({ length: 24 }, (_, n) => backupAt(NOW - n * HOUR));
    const ahead = Array.from({ length: 24 }, (_, n) => backupAt(NOW + 365 * DAY + n * HOUR));
    expect(keptOf([...past, ...ahead])).toEqual([...past, ...ahead]);
    expect(keptOf([...past, ...ahead], NOW - 3_650 * DAY).length).toBeGreaterThanOrEqual(24);
  });

  it("always the newest, never more than 70, whatever there is", () => {
    const ages = fc.uniqueArray(fc.integer({ min: -60 * 24 * 60, max: 400 * 24 * 60 }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(ages, (minutes) => {
        const backups = minutes.map((age) => backupAt(NOW - age * MINUTE));
        const kept = keptOf(backups);
        expect(kept.length).toBeLessThanOrEqual(2 * (24 + 7 + 4));
        const past = backups.filter(({ takenAt }) => takenAt <= NOW);
        if (past.length > 0) {
          const newest = Math.max(...past.map(({ takenAt }) => takenAt));
          expect(kept.some(({ takenAt }) => takenAt === newest)).toBe(true);
        }
        expect(listSurplus(kept, NOW)).toEqual([]);
      }),
    );
  });
});
