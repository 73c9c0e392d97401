import type { UpdateService } from "../../../safety/updates/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";

/** There is a newer version than this, or one did not start and the one before runs again. */
export function createUpdateSource({ updates }: { updates: UpdateService }): AlertSource {
  return {
    kind: "UPDATE",
    async find(): Promise<Finding[]> {
      const found: Finding[] = [];
      const of = { environment: undefined, level: "SOON" } as const;
      const { undone } = updates;
      if (undone !== undefined) {
        const facts = { name: undone };
        found.push({ ...of, subject: "undone", cause: "UPDATE_UNDONE", mark: undone, facts });
      }
      const newer = await updates.findNewer();
      if (newer) {
        const facts = { name: newer.version, reference: newer.command };
        const cause = "UPDATE_NEWER";
        found.push({ ...of, subject: "newer", cause, mark: newer.version, facts });
      }
      return found;
    },
  };
}
