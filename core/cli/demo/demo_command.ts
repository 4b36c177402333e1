import { App } from "../../app.ts";
import { joinPath } from "../../base/paths.ts";
import { RpcClient } from "../../rpc/client.ts";
import { writeToStderr } from "../process_io.ts";
import { EXIT_CODES } from "../exit_codes.ts";
import { printText } from "../print_command.ts";
import { startDemoModel } from "./demo_model.ts";
import { type DemoProject, makeDemoProject } from "./demo_project.ts";
import { DemoView } from "./demo_view.ts";

const PROMPT = "The greeting is misspelt. Mend it and run the tests.";

/**
 * Shows a whole turn: a client, rho, and a model over real HTTP on loopback, all in this process.
 * The client approves what it is asked.
 *
 * @returns the exit code: 0 when the turn ended as it should.
 */
export async function runDemo(options: { readonly raw: boolean }): Promise<number> {
  const project = await makeDemoProject();
  const model = startDemoModel(project);
  try {
    const finishReason = await playTurn(project, { endpoint: model.endpoint, raw: options.raw });
    return finishReason === "stop" ? EXIT_CODES.ok : EXIT_CODES.startFailed;
  } finally {
    await model.close();
    await Deno.remove(project.root, { recursive: true });
  }
}

async function playTurn(
  project: DemoProject,
  options: { endpoint: string; raw: boolean },
): Promise<string | undefined> {
  const toRho = new TransformStream<Uint8Array, Uint8Array>();
  const fromRho = new TransformStream<Uint8Array, Uint8Array>();
  const output = fromRho.writable.getWriter();
  const app = await App.start(
    {
      endpoint: options.endpoint,
      model: "demo",
      root: project.root,
      acceptExternal: false,
      compact: false,
      continueLatest: false,
      ephemeral: true,
      approve: "ask",
    },
    {
      io: {
        stdin: toRho.readable,
        stdout: {
          write: async (bytes) => {
            await output.write(bytes);
            return bytes.length;
          },
        },
        stderr: writeToStderr,
        // A home that does not exist: no configuration of anybody's has a say here.
        env: { ...Deno.env.toObject(), RHO_HOME: joinPath(project.root, ".home") },
        cwd: project.root,
      },
    },
  );
  const screen = new Screen();
  const view = new DemoView((text) => screen.print(text));
  const client: RpcClient = new RpcClient(
    { readable: fromRho.readable, writable: toRho.writable },
    {
      onLine: (line) => options.raw && screen.print(`${line}\n`),
      onNotification: (notification) => {
        if (!options.raw) view.show(notification);
        if (notification.method !== "approval/request") return;
        if (!options.raw) view.say("you", "yes");
        const { id } = notification.params;
        screen.track(client.request("approvalResponse", { approved: true, id }));
      },
    },
  );
  if (!options.raw) introduce(view, project);
  const served = app.serve();
  const result = await client.request("prompt", { message: PROMPT });
  await client.endInput();
  await served;
  await app.stop("eof");
  await output.close();
  await client.closed;
  if (!options.raw) conclude(view);
  await screen.finish();
  return "finishReason" in result ? result.finishReason : undefined;
}

function introduce(view: DemoView, project: DemoProject): void {
  view.say("rho", "a scripted model, a real turn; nothing leaves this machine");
  view.say("project", project.root);
  view.say("you", PROMPT);
}

function conclude(view: DemoView): void {
  view.say("next", "rho --endpoint http://localhost:1234/v1/chat/completions --model <id>");
  view.say("", "rho demo --rpc shows the same as an editor sees it");
}

/** Prints in order, and gathers what runs beside it. */
class Screen {
  #last: Promise<unknown> = Promise.resolve();

  print(text: string): void {
    this.#last = this.#last.then(() => printText(text));
  }

  track(work: Promise<unknown>): void {
    this.#last = Promise.all([this.#last, work]);
  }

  async finish(): Promise<void> {
    await this.#last;
  }
}
