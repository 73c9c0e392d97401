import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { UTC_TIME } from "../created-at-filter.ts";
import { TransactionError } from "./purchase-record.ts";

/** Spelled as in the original API (rules#report-states). */
const ReportStatus = Type.Enum(["REQUESTED", "Ready", "FAILED"], {
  title: "ReportStatus",
  description: "Status of a report; Ready and FAILED are final",
});
export type ReportStatus = Static<typeof ReportStatus>;

/** Start or end of a report's period. */
const BOUND = `^${UTC_TIME}$`;

/**
 * Body of `POST /reports/transactions` (rules#report-period). The start is
 * inclusive, the end exclusive.
 */
export const ReportInput = Input(
  {
    startGte: Type.String({
      pattern: BOUND,
      description: "an RFC 3339 UTC time, such as 2026-01-01T00:00:00Z",
      examples: ["2026-01-01T00:00:00Z"],
    }),
    endLt: Type.String({
      pattern: BOUND,
      description: "an RFC 3339 UTC time, such as 2026-02-01T00:00:00Z",
      examples: ["2026-02-01T00:00:00Z"],
    }),
  },
  { title: "ReportInput", description: "The period of a report, by finish time" },
);
export type ReportInput = Static<typeof ReportInput>;

const ReportLogItem = Type.Object(
  { message: Type.String(), recordedAt: Timestamp, status: ReportStatus },
  { title: "ReportLogItem", description: "A stage of a report" },
);

/** Transaction report (rules#report-states). `file` is present when Ready, `error` when FAILED. */
export const Report = Type.Object(
  {
    reportId: Type.String(),
    status: ReportStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    period: Type.Object(
      { startGte: Timestamp, endLt: Timestamp },
      { title: "ReportPeriod", description: "Period of finish times" },
    ),
    file: Type.Optional(
      Type.Object(
        { name: Type.String(), downloadUrl: Type.String({ format: "uri" }) },
        { title: "ReportFile", description: "File of a Ready report" },
      ),
    ),
    error: Type.Optional(TransactionError),
    log: Type.Array(ReportLogItem),
  },
  { title: "Report", description: "A report of finished transactions" },
);
export type Report = Static<typeof Report>;

export const ReportParams = Input({
  reportId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "The id of a report",
    examples: ["0b8f3c1e-6f0a-4c55-9a53-0d6f5a1f7a52"],
  }),
});

export const ReportFileParams = Input({
  ...ReportParams.properties,
  file: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "The name of the file, from the report's record",
    examples: ["transactions-0b8f3c1e-6f0a-4c55-9a53-0d6f5a1f7a52.csv"],
  }),
});
