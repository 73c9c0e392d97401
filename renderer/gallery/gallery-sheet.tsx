import type { ReactNode } from "react";
import classes from "./gallery.module.css";

interface SheetProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** Things of one kind beside each other. */
export function Sheet({ name, children }: SheetProps) {
  return (
    <section className={classes.sheet}>
      <h2>{name}</h2>
      <div className={classes.things}>{children}</div>
    </section>
  );
}
