import { match } from "node:assert/strict";
import { EDIT_FILE } from "../../../tools/files/edit_file.ts";
import { LIST_DIR } from "../../../tools/files/list_dir.ts";
import { READ_FILE } from "../../../tools/files/read_file.ts";
import { withWorkspace } from "./_workspace.ts";

Deno.test("the file tools name files of the same name elsewhere when a path leads nowhere", () =>
  withWorkspace(async ({ run, write }) => {
    write("packages/core/app.ts", "");
    write("node_modules/x/app.ts", "");
    write("packages/other/App.ts", "");
    const found =
      /Cannot find "src\/app\.ts" \(did you mean "packages\/(core|other)\/[aA]pp\.ts" or "packages\/(core|other)\/[aA]pp\.ts"\?\); paths are relative to/;
    match((await run(READ_FILE, { path: "src/app.ts" })).output, found);
    match((await run(EDIT_FILE, { path: "src/app.ts", edits: [{}] })).output, found);
    match((await run(LIST_DIR, { path: "lib/core" })).output, /did you mean "packages\/core"/);
    match(
      (await run(READ_FILE, { path: "nowhere.xyz" })).output,
      /Cannot find "nowhere\.xyz"; paths/,
    );
  }));

Deno.test("B91 the file tools find the name in a Windows path that is literal text elsewhere", () =>
  withWorkspace(async ({ run, write }) => {
    write("unicorn/a.ts", "");
    const { output } = await run(READ_FILE, { path: "C:\\users\\unicorn\\a.ts" });
    match(
      output,
      Deno.build.os === "windows" ? /outside the root/ : /did you mean "unicorn\/a\.ts"/,
    );
  }));
