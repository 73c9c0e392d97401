import { Mark } from "../components/mark.tsx";
import classes from "./gallery.module.css";
import { Sheet } from "./gallery-sheet.tsx";

const COLORS =
  "ground surface surface-2 sunken line line-strong ink ink-2 ink-3 accent accent-hover accent-press accent-soft accent-text good good-soft good-line wait wait-soft wait-line bad bad-soft bad-line test training chart-1 chart-2 chart-3 chart-4 chart-muted";
const SIZES = ["hero", "amount", "heading", "title", "label", "body", "caption"];
const WEIGHTS = ["strong", "label", "text"];

export function ColorSheet() {
  return (
    <Sheet name="Colours">
      <Mark />
      {COLORS.split(" ").map((name) => (
        <figure key={name} className={classes.color}>
          <span style={{ background: `var(--${name})` }} />
          <figcaption>{name}</figcaption>
        </figure>
      ))}
    </Sheet>
  );
}

export function TypeSheet() {
  return (
    <Sheet name="Type">
      {SIZES.map((size) =>
        WEIGHTS.map((weight) => (
          <p
            key={`${size} ${weight}`}
            style={{ fontSize: `var(--text-${size})`, fontWeight: `var(--weight-${weight})` }}
          >
            Q 1,234.50 · Çà œuvre ñandú ão ₦₵₹ · <bdi lang="ar">إيصال 1,234.50</bdi>
          </p>
        )),
      )}
    </Sheet>
  );
}
