import { backupOperations } from "../../contract/pos/backup-operations.ts";
import type { App } from "../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../http/device-cookie.ts";
import { handle } from "../../http/pos-operations.ts";
import type { Place } from "../../lib/place.ts";
import type { BackupDesk } from "./backup-desk.ts";
import type { SecondBackupPlace } from "./second-place.ts";

interface Deps {
  desk: BackupDesk;
  secondPlace: SecondBackupPlace;
  sessions: {
    confirm(
      who: { accountId: string; staffId: string },
      pin: string,
      place: Place,
    ): Promise<string | undefined>;
  };
}

/** Backups, for owners. */
export function registerBackupRoutes(app: App, { desk, secondPlace, sessions }: Deps): void {
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

  handle(app, backupOperations.setSecond, async ({ actor: { accountId, staffId }, body }) => {
    await secondPlace.set({ accountId, staffId }, body.dir);
    return desk.view();
  });

  handle(app, backupOperations.removeSecond, async ({ actor: { accountId, staffId } }) => {
    await secondPlace.remove({ accountId, staffId });
    return desk.view();
  });
}
