import classes from "./bulk.module.css";

interface Fact {
  readonly name: string;
  readonly value: string;
  readonly tone?: "good" | "bad" | "wait" | "ink";
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, tone = "ink" }) => (
        <div key={name} className="stack gap-1 pad-3-4 frame">
          <dt className="soft size-caption">{name}</dt>
          <dd className={`size-label strong tabular ${tone}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
