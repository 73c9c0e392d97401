import classes from "./at-rest.module.css";
import { RecentList } from "./recent-list.tsx";
import { TryNumbers } from "./try-numbers.tsx";
import type { Topup } from "./use-topup.ts";
import { UsualTiles } from "./usual-tiles.tsx";

/** Below the empty field: what is usual at this hour, and the numbers that were sold to. */
export function AtRest({ topup }: { readonly topup: Topup }) {
  return (
    <div className={classes.room}>
      <div className={classes.rest}>
        <UsualTiles topup={topup} />
        {topup.isNew ? <TryNumbers topup={topup} /> : <RecentList topup={topup} />}
      </div>
    </div>
  );
}
