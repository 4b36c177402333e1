import { newUuid } from "../../core/base/ids.ts";
import { joinPath } from "../../core/base/paths.ts";
import { encodeUtf8 } from "../../core/base/text.ts";
import { isRecord, type JsonRecord, parseJson, stringField } from "../json_value.ts";
import type { ScannedSession } from "./scan_session.ts";

/** What the index knows of one file, valid while size and time of change are the same. */
export interface IndexedSession extends ScannedSession {
  readonly size: number;
  readonly mtimeMs: number;
}

const VERSION = 1;

/**
 * `index.json` in a project's folder: answers of earlier scans. It is a cache, so whatever cannot
 * be read counts as absent, and a failing write changes nothing.
 */
export function readSessionIndex(folder: string): Map<string, IndexedSession> {
  const index = new Map<string, IndexedSession>();
  let value: unknown;
  try {
    value = parseJson(Deno.readTextFileSync(joinPath(folder, "index.json")));
  } catch {
    return index;
  }
  if (!isRecord(value) || value.version !== VERSION || !isRecord(value.sessions)) return index;
  for (const [name, raw] of Object.entries(value.sessions)) {
    const entry = isRecord(raw) ? decodeIndexed(raw) : undefined;
    if (entry !== undefined) index.set(name, entry);
  }
  return index;
}

function decodeIndexed(raw: JsonRecord): IndexedSession | undefined {
  const { size, mtimeMs, entryCount } = raw;
  if (typeof size !== "number" || typeof mtimeMs !== "number") return undefined;
  if (typeof entryCount !== "number") return undefined;
  return {
    size,
    mtimeMs,
    entryCount,
    id: stringField(raw, "id") ?? null,
    cwd: stringField(raw, "cwd") ?? "",
    title: stringField(raw, "title") ?? null,
    firstPrompt: stringField(raw, "firstPrompt") ?? null,
  };
}

/** Replaces the index in one step, so that no reader ever sees half of it. */
export function writeSessionIndex(
  folder: string,
  index: ReadonlyMap<string, IndexedSession>,
): void {
  const text = JSON.stringify({ version: VERSION, sessions: Object.fromEntries(index) });
  const temporary = joinPath(folder, `.index-${newUuid()}.tmp`);
  try {
    Deno.writeFileSync(temporary, encodeUtf8(text), { mode: 0o600 });
    Deno.renameSync(temporary, joinPath(folder, "index.json"));
  } catch {
    removeQuietly(temporary);
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was never made.
  }
}
