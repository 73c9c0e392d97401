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

/** As wide as the panel beside the counter, where most of these stand. */
export function Panel({ children }: Pick<SheetProps, "children">) {
  return <div className={classes.panel}>{children}</div>;
}
