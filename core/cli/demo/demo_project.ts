import { joinPath } from "../../base/paths.ts";

/** A project in a temporary folder, small enough to be read at a glance. */
export interface DemoProject {
  readonly root: string;
  /** The command that runs its tests. */
  readonly testCommand: string;
  /** The file that the demo edits. */
  readonly editedFile: string;
}

const IS_WINDOWS = Deno.build.os === "windows";

const POSIX_FILES: Readonly<Record<string, string>> = {
  "greet.sh": '#!/bin/sh\n# Greets whoever is named.\nname="${1:-world}"\necho "Helo, $name!"\n',
  "test.sh": '#!/bin/sh\n# Fails when the greeting is wrong.\nsaid="$(sh greet.sh rho)"\n' +
    'if [ "$said" = "Hello, rho!" ]; then\n  echo "ok: $said"\nelse\n' +
    '  echo "wrong: $said" >&2\n  exit 1\nfi\n',
};

const WINDOWS_FILES: Readonly<Record<string, string>> = {
  "greet.ps1": '# Greets whoever is named.\nparam([string]$name = "world")\n' +
    'Write-Output "Helo, $name!"\n',
  "test.ps1": "# Fails when the greeting is wrong.\n" +
    '$said = & "$PSScriptRoot/greet.ps1" rho\n' +
    'if ($said -eq "Hello, rho!") { Write-Output "ok: $said" } ' +
    'else { Write-Output "wrong: $said"; exit 1 }\n',
};

/** Writes the demo's project into a new temporary folder; the caller removes it. */
export async function makeDemoProject(): Promise<DemoProject> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "rho-demo-" }));
  const files = IS_WINDOWS ? WINDOWS_FILES : POSIX_FILES;
  const readme = "# Greeter\n\nA program that greets, with a typing mistake in it.\n";
  for (const [name, text] of Object.entries({ "README.md": readme, ...files })) {
    await Deno.writeTextFile(joinPath(root, name), text);
  }
  return {
    root,
    testCommand: IS_WINDOWS
      ? "powershell -NoProfile -ExecutionPolicy Bypass -File test.ps1"
      : "sh test.sh",
    editedFile: IS_WINDOWS ? "greet.ps1" : "greet.sh",
  };
}
