import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Reach } from "../../../../server/contract/pos/reach.ts";
import { Notice } from "../../../components/notice.tsx";
import { reachQuery } from "../api/settings-queries.ts";
import classes from "./settings-screen.module.css";

type Listener = Reach["listeners"][number];

/** Whether a firewall keeps other devices out of what is open to them; nothing where nothing is. */
export function ReachSection() {
  const { t } = useTranslation();
  const id = useId();
  const { listeners = [] } = useQuery(reachQuery()).data ?? {};
  if (listeners.length === 0) return null;
  return (
    <section aria-labelledby={id} className={classes.view}>
      <h3 id={id} className={classes.legend}>
        {t("office.settings.network.reach.title")}
      </h3>
      {listeners.map((listener) => (
        <ListenerReach key={listener.port} listener={listener} />
      ))}
    </section>
  );
}

function ListenerReach({ listener: { url, reached, firewall } }: { readonly listener: Listener }) {
  const { t } = useTranslation();
  const known = firewall ? STATES[firewall.state] : "none";
  const state = reached ? "reached" : known;
  const isInDoubt = state === "blocked" || state === "unknown";
  return (
    <>
      <code className={classes.secret} dir="ltr">
        {url}
      </code>
      <Notice tone={isInDoubt ? "wait" : "info"}>
        {t(`office.settings.network.reach.${state}`, { name: firewall?.name ?? "" })}
      </Notice>
      {isInDoubt && firewall ? (
        <code className={classes.secret} dir="ltr">
          {firewall.command}
        </code>
      ) : null}
    </>
  );
}

const STATES = { OPEN: "open", BLOCKED: "blocked", UNKNOWN: "unknown" } as const;
