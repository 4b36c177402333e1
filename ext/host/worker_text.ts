import RUNTIME from "./worker/runtime.js" with { type: "text" };
import SANDBOX from "./worker/sandbox.js" with { type: "text" };

/**
 * The program of every worker as a `data:` URL. It is carried as text because a worker's own file
 * could only be read by a host that may read files.
 */
export function workerUrl(): string {
  return `data:text/javascript,${encodeURIComponent(`${SANDBOX}\n${RUNTIME}`)}`;
}
