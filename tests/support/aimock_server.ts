/** Runs `@copilotkit/aimock`, a model server that somebody else wrote, without leaving anything. */

import { LLMock } from "@copilotkit/aimock";

/** A running mock; its `url` is `http://127.0.0.1:<port>`. */
export interface AimockServer extends AsyncDisposable {
  readonly mock: LLMock;
  readonly url: string;
}

/** Starts a mock on a free loopback port, prepared by the caller first. */
export async function startAimock(prepare: (mock: LLMock) => void): Promise<AimockServer> {
  const mock = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent" });
  prepare(mock);
  const url = await mock.start();
  // Its stop() forgets the sweepers of its stores, which would run on.
  const { serverInstance } = mock as unknown as {
    readonly serverInstance: Record<string, unknown>;
  };
  return {
    mock,
    url,
    async [Symbol.asyncDispose]() {
      await mock.stop();
      for (const store of Object.values(serverInstance)) {
        if (typeof store === "object" && store !== null && isStore(store)) store.destroy();
      }
    },
  };
}

function isStore(value: object): value is { destroy(): void } {
  return "destroy" in value && typeof value.destroy === "function" && "entries" in value;
}
