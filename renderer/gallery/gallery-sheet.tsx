import type { ReactNode } from "react";
import classes from "./gallery.module.css";

interface SheetProps {
  readonly name: string;
  readonly children: ReactNode;
}

export function Sheet({ name, children }: SheetProps) {
  return (
    <section className={classes.sheet}>
      <h2>{name}</h2>
      <div className={classes.things}>{children}</div>
    </section>
  );
}

export function Panel({ children }: Pick<SheetProps, "children">) {
  return <div className={classes.panel}>{children}</div>;
}
