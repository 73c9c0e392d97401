import fc from "fast-check";

/** `TEST_SEED` sets the seed of every property; fast-check prints the seed of a failure. */
const { TEST_SEED } = process.env;
if (TEST_SEED !== undefined) fc.configureGlobal({ seed: Number(TEST_SEED) });
