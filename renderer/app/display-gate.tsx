import { lazy, Suspense } from "react";

const CustomerDisplay = lazy(async () => {
  const { CustomerDisplay: default_ } = await import(
    "../features/display/components/customer-display.tsx"
  );
  return { default: default_ };
});

/** The customer's side, which needs nobody signed in. */
export function DisplayGate() {
  return (
    <Suspense fallback={null}>
      <CustomerDisplay />
    </Suspense>
  );
}
