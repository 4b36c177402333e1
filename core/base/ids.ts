/** A random UUID, as entries of a session carry it. */
export function newUuid(): string {
  return crypto.randomUUID();
}

/** A random session id: 8 lower-case hexadecimal digits. */
export function newSessionId(): string {
  return crypto.randomUUID().slice(0, 8);
}

const SAFE_ID_REGEXP = /^[A-Za-z0-9_-]{1,128}$/;

/** Whether an id from outside is safe to use in a file name: letters, digits, `_` and `-` only. */
export function isSafeId(id: string): boolean {
  return SAFE_ID_REGEXP.test(id);
}
