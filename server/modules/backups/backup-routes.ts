import { backupOperations } from "../../contract/pos/backup-operations.ts";
import type { App } from "../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../http/device-cookie.ts";
import { handle } from "../../http/pos-operations.ts";
import type { Place } from "../../lib/place.ts";
import type { BackupDesk } from "./backup-desk.ts";

interface Deps {
  desk: BackupDesk;
  sessions: {
    confirm(
      who: { accountId: string; staffId: string },
      pin: string,
      place: Place,
    ): Promise<string | undefined>;
  };
}

/** Backups, for owners. */
export function registerBackupRoutes(app: App, { desk, sessions }: Deps): void {
  handle(app, backupOperations.list, () => desk.view());

  handle(app, backupOperations.work, async ({ actor: { accountId, staffId }, body }) => {
    await desk.begin({ accountId, staffId }, body);
    return desk.view();
  });

  handle(app, backupOperations.askRestore, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    const { accountId, staffId } = actor;
    await desk.askRestore({ accountId, staffId }, body.name);
    return desk.view();
  });

  handle(app, backupOperations.withdrawRestore, async ({ actor: { accountId, staffId } }) => {
    await desk.withdrawRestore({ accountId, staffId });
    return desk.view();
  });
}
