import type { LlmService } from "../../llm/types.ts";
import { type Answer, serveScript, type WireMessage } from "./demo_model.ts";

/**
 * The model of the preset `demo`: it looks at the project once a turn and says what it is, so that
 * a client can be tried with any project and without a model. It is served over loopback HTTP from
 * the first request until rho exits.
 *
 * @param connect Makes the service for an endpoint.
 */
export function demoService(connect: (endpoint: string) => LlmService): LlmService {
  let service: LlmService | undefined;
  return {
    stream: (request, options) => {
      service ??= connect(serveScript(answer).endpoint);
      return service.stream(request, options);
    },
  };
}

function answer(messages: readonly WireMessage[]): Answer {
  const lastRequest = messages.findLastIndex(({ role }) => role === "user");
  const result = messages.slice(lastRequest).find(({ role }) => role === "tool");
  if (result === undefined) {
    return {
      text: "I will look at the project.",
      call: { name: "list_dir", arguments: { path: ".", depth: 1 } },
    };
  }
  const lines = (result.content ?? "").split("\n").filter((line) => !line.startsWith("<context"));
  return {
    text:
      `I am the scripted model of rho's demo and cannot think. The project has ${lines.length} ` +
      "files and folders at its root. Configure a provider to work on them.",
  };
}
