import type { Session } from "../../sessions/session.ts";
import type { SessionNotice } from "../../sessions/session_notice.ts";

/** What a person should hear about a session that was just opened. */
export function openingNotices(session: Session): SessionNotice[] {
  return [...continuedNotice(session), ...recoveredNotice(session)];
}

function continuedNotice({ continuedFrom, id }: Session): SessionNotice[] {
  if (continuedFrom === undefined) return [];
  const why = {
    locked: "another rho has it open",
    newer_version: "a newer rho wrote it",
    read_only: "it cannot be written to",
  }[continuedFrom.reason];
  return [{
    code: "session_continued",
    level: "warn",
    message: `The session "${continuedFrom.path}" stays as it is, because ${why}; ` +
      `it goes on in a new file as session ${id}`,
  }];
}

function recoveredNotice({ recovered, continuedFrom, savePath }: Session): SessionNotice[] {
  if (recovered === undefined) return [];
  const { badLines, tornBytes, reattached } = recovered;
  const parts = [
    ...(badLines === 0 ? [] : [`lines that cannot be read and are skipped: ${badLines}`]),
    ...(tornBytes === 0 ? [] : [`bytes of a half-written last line: ${tornBytes}`]),
    ...(reattached === 0 ? [] : [`entries whose parent is missing: ${reattached}`]),
  ];
  return [{
    code: "session_recovered",
    level: "warn",
    message: `The session "${continuedFrom?.path ?? savePath}" is damaged (${parts.join("; ")}); ` +
      "nothing was deleted, and the rest is used",
  }];
}
