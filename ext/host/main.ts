import { runHost } from "./run_host.ts";

await runHost();
