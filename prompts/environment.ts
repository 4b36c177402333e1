/** What the model is told about the machine. */
export interface EnvironmentFacts {
  /** The canonical project root. */
  readonly root: string;
  /** `linux`, `darwin`, `windows`, … */
  readonly os: string;
  /** The name of the shell that runs commands; left out of the prompt when unknown. */
  readonly shell?: string;
  /** Milliseconds since the Unix epoch; only the date is shown, so that the prompt stays stable. */
  readonly epochMs: number;
}

/** The block of the system prompt that describes the machine, the same bytes all day long. */
export function environmentBlock(facts: EnvironmentFacts): string {
  const date = new Date(facts.epochMs).toISOString().slice(0, 10);
  return [
    "# Environment",
    "",
    `- Project root: ${facts.root}`,
    `- Operating system: ${facts.os}`,
    ...(facts.shell === undefined ? [] : [`- Shell: ${facts.shell}`]),
    `- Date: ${date}`,
  ].join("\n");
}
