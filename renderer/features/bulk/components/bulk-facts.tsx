import classes from "./bulk.module.css";

interface Fact {
  readonly name: string;
  readonly value: string;
  readonly tone?: "good" | "bad" | "wait" | "none";
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, tone = "none" }) => (
        <div key={name} data-tone={tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
