import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import { WhatIsNewList } from "../../../components/what-is-new-list.tsx";
import type { MoneyUnit } from "../../../lib/money.ts";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import {
  compareVersions,
  noteSeen,
  seenVersion,
  whatIsNewQuery,
} from "../../../lib/what-is-new.ts";
import { currentShiftQuery } from "../api/shift-queries.ts";
import { OpenShift } from "./open-shift.tsx";
import classes from "./shift-screen.module.css";

interface ShiftGateProps extends MoneyUnit {
  /** True in training, where no shift is needed. */
  readonly training: boolean;
  readonly children: ReactNode;
}

/** Shows the counter if a shift is open, or while it is unknown whether a shift is open. */
export function ShiftGate({ training, children, ...currency }: ShiftGateProps) {
  const current = useQuery(currentShiftQuery());
  if (training) {
    return children;
  }
  if (current.isPending && current.failureReason === null) {
    return null;
  }
  if (current.data && !current.data.shift) {
    return (
      <main className="min-h-0 overflow-y-auto">
        <div className={classes.card}>
          <OpenShift {...currency} />
          <WhatIsNew />
        </div>
      </main>
    );
  }
  return children;
}

/** Shows the changes of a new version, once to each person on each device. */
export function WhatIsNew() {
  const { data: session } = useQuery(sessionQuery());
  const { data: status } = useQuery(statusQuery());
  return session && status ? (
    <News key={session.staff.staffId} staffId={session.staff.staffId} version={status.version} />
  ) : null;
}

interface NewsProps {
  readonly staffId: string;
  readonly version: string;
}

function News({ staffId, version }: NewsProps) {
  const { t, i18n } = useTranslation();
  const [seen, setSeen] = useState(() => {
    const known = seenVersion(staffId);
    // A person who is new to this device sees no changes.
    if (known === undefined) noteSeen(staffId, version);
    return known ?? version;
  });
  const { data = [] } = useQuery({
    ...whatIsNewQuery(i18n.language),
    enabled: compareVersions(seen, version) < 0,
  });
  const versions = data.filter(
    (one) => compareVersions(seen, one.version) < 0 && compareVersions(one.version, version) <= 0,
  );
  if (versions.length === 0 || compareVersions(seen, version) >= 0) {
    return null;
  }
  return (
    <Notice tone="info">
      <div className="stack gap-3">
        <WhatIsNewList versions={versions} />
        <Button
          variant="default"
          className="self-start"
          onClick={() => {
            noteSeen(staffId, version);
            setSeen(version);
          }}
        >
          {t("shift.whatIsNew.close")}
        </Button>
      </div>
    </Notice>
  );
}
