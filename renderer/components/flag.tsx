import { useState } from "react";
import classes from "./flag.module.css";

interface FlagProps {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/**
 * A country's flag, loaded as a separate image. Hidden from screen readers: the country's name is
 * beside the flag. Keeps its space if the image does not load.
 */
export function Flag({ country }: FlagProps) {
  const [missing, setMissing] = useState<string>();
  return (
    <span className={classes.flag} aria-hidden="true">
      {country === missing ? null : (
        <img
          src={`${import.meta.env.TILLGATE_FLAGS}/${country}.svg`}
          alt=""
          draggable={false}
          onError={() => setMissing(country)}
        />
      )}
    </span>
  );
}
