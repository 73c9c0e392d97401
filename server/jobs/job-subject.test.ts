import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENVIRONMENTS } from "../contract/common.ts";
import {
  decodeScope,
  decodeSubject,
  encodeScope,
  encodeSubject,
  laneOfSubject,
} from "./job-subject.ts";

const scopes = fc.record({
  accountId: fc.string({ minLength: 1 }).filter((text) => !text.includes("/")),
  environment: fc.constantFrom(...ENVIRONMENTS),
});
/** Ids may contain any character: a catalog's brand ids do. */
const ids = fc.string({ minLength: 1, unit: fc.constantFrom("a", "7", "/", "-", " ", "é") });
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom("/", "a", "test", "live", "LIVE") }),
);

describe("the subject of a job", () => {
  it("decodes to the encoded scope and id", () => {
    fc.assert(
      fc.property(scopes, ids, (scope, id) => {
        expect(decodeSubject(encodeSubject(scope, id))).toEqual({ scope, id });
        expect(decodeScope(encodeScope(scope))).toEqual(scope);
      }),
    );
  });

  it("causes an error that quotes the text if `encodeSubject` did not write it", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rewritten = () => {
          const { scope, id } = decodeSubject(text);
          return encodeSubject(scope, id);
        };
        expect(wholeOrRefused(rewritten)).toBe(text);
        expect(wholeOrRefused(() => encodeScope(decodeScope(text)))).toBe(text);

        function wholeOrRefused(read: () => string): string {
          try {
            return read();
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
            expect(String(error)).toContain(JSON.stringify(text));
            return text;
          }
        }
      }),
    );
  });

  it.each(["", "default", "default/test", "default/test/", "default/LIVE/t", "/test/t"])(
    "cannot be %j",
    (text) => {
      expect(() => decodeSubject(text)).toThrow("not the subject of a job");
    },
  );

  it("makes the encoder throw if the result could not be decoded", () => {
    const environment = "test" as const;
    expect(() => encodeSubject({ accountId: "a/b", environment }, "t")).toThrow(RangeError);
    expect(() => encodeSubject({ accountId: "", environment }, "t")).toThrow(RangeError);
    expect(() => encodeSubject({ accountId: "default", environment }, "")).toThrow(RangeError);
  });

  it("shares a lane only with subjects of the same scope", () => {
    fc.assert(
      fc.property(scopes, ids, scopes, ids, (one, oneId, other, otherId) => {
        const [lane, subject] = [
          laneOfSubject(encodeSubject(one, oneId)),
          encodeSubject(other, otherId),
        ];
        const isSame = encodeScope(one) === encodeScope(other);
        expect(subject.startsWith(lane)).toBe(isSame);
        expect(laneOfSubject(subject) === lane).toBe(isSame);
      }),
    );
  });

  it("gets a lane of its own if it is unreadable, so that other jobs continue", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(text.startsWith(laneOfSubject(text))).toBe(true);
      }),
    );
    expect(laneOfSubject("default/LIVE/t")).toBe("default/LIVE/t");
  });
});
