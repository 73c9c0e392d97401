import type { ComponentType, SVGAttributes } from "react";
import { Suspense, use } from "react";
import classes from "./flag.module.css";

type Flags = Readonly<Record<string, ComponentType<SVGAttributes<SVGElement>>>>;

/** All flags are one chunk, fetched once when the first is shown. */
let flags: Promise<Flags> | undefined;

const RETRY_MS = 30_000;

/** Never rejects: while the gateway is away there are no flags, and the screen stays. */
function loadFlags(): Promise<Flags> {
  flags ??= import("country-flag-icons/react/3x2").then(
    (icons) => icons as unknown as Flags,
    () => {
      setTimeout(() => {
        flags = undefined;
      }, RETRY_MS);
      return {};
    },
  );
  return flags;
}

interface FlagProps {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** A country's flag. Decoration: the country's name always stands beside it. */
export function Flag({ country }: FlagProps) {
  return (
    <span className={classes.flag} aria-hidden="true">
      <Suspense fallback={null}>
        <LoadedFlag country={country} />
      </Suspense>
    </span>
  );
}

function LoadedFlag({ country }: FlagProps) {
  const Icon = use(loadFlags())[country];
  return Icon ? <Icon /> : null;
}
