import { deepEqual, equal, match, ok } from "node:assert/strict";
import { lineAnchor } from "../../../tools/files/anchors.ts";
import { EDIT_FILE, type EditFileArgs } from "../../../tools/files/edit_file.ts";
import { READ_FILE } from "../../../tools/files/read_file.ts";
import { withWorkspace, type Workspace } from "./_workspace.ts";

const POSIX = { ignore: Deno.build.os === "windows" };
type Edits = EditFileArgs["edits"];

/** Reads a file, edits it, and gives back the result. */
async function edit(workspace: Workspace, content: string, edits: Edits) {
  workspace.write("f", content);
  workspace.tracker.forgetReads();
  await workspace.run(READ_FILE, { path: "f" });
  return await workspace.run(EDIT_FILE, { path: "f", edits });
}

/** Cases of one kind: content, edits, what must come out. */
const RESULTS: readonly [string, string, Edits, string][] = [
  ["replaces one line", "a\nb\nc\n", [
    { op: "replace", pos: lineAnchor("b", 2), lines: ["B"] },
  ], "a\nB\nc\n"],
  ["replaces a range by more lines", "a\nb\nc\n", [
    { op: "replace", pos: lineAnchor("a", 1), end: lineAnchor("b", 2), lines: ["1", "2", "3"] },
  ], "1\n2\n3\nc\n"],
  ["replaces by nothing as a deletion", "a\nb\nc\n", [
    { op: "replace", pos: lineAnchor("b", 2), lines: [] },
  ], "a\nc\n"],
  ["deletes a range", "a\nb\nc\n", [
    { op: "delete", pos: lineAnchor("a", 1), end: lineAnchor("b", 2) },
  ], "c\n"],
  ["appends and prepends at one line in order", "a\nb\n", [
    { op: "prepend", pos: lineAnchor("b", 2), lines: ["3"] },
    { op: "append", pos: lineAnchor("a", 1), lines: ["1"] },
    { op: "append", pos: lineAnchor("a", 1), lines: ["2"] },
  ], "a\n1\n2\n3\nb\n"],
  [
    "keeps each line's ending and takes a bare CR for data (B76)",
    "a\r\nb\nlog: 10%\r50%\r100%\nend",
    [
      { op: "replace", pos: lineAnchor("b", 2), lines: ["B", "C"] },
    ],
    "a\r\nB\nC\nlog: 10%\r50%\r100%\nend",
  ],
  ["gives new lines the ending of their neighbour", "a\r\nb\nc", [
    { op: "append", pos: lineAnchor("a", 1), lines: ["x"] },
    { op: "append", pos: lineAnchor("b", 2), lines: ["y"] },
  ], "a\r\nx\r\nb\ny\nc"],
  ["keeps a missing final newline (B89)", "a\nb", [
    { op: "replace", pos: lineAnchor("b", 2), lines: ["B", "C"] },
  ], "a\nB\nC"],
  ["appends behind a last line without newline (B89)", "abc", [
    { op: "append", lines: ["d", "e"] },
  ], "abc\nd\ne"],
  ["appends to CRLF text without final newline (B89)", "a\r\nb", [
    { op: "append", lines: ["c"] },
  ], "a\r\nb\r\nc"],
  ["fills an empty file (B89)", "", [{ op: "append", lines: ["a", "b"] }], "a\nb\n"],
  ["prepends to an empty file (B89)", "", [{ op: "prepend", lines: ["a"] }], "a\n"],
  ["inserts at the start of a file of one newline (B89)", "\n", [
    { op: "prepend", lines: ["a"] },
  ], "a\n\n"],
  ["deletes the only line (B89)", "abc", [{ op: "delete", pos: lineAnchor("abc", 1) }], ""],
  ["deletes the only, empty line (B89)", "\n", [{ op: "delete", pos: lineAnchor("", 1) }], ""],
  ["deletes a last line without newline and touches no other byte (B89)", "a\nb", [
    { op: "delete", pos: lineAnchor("b", 2) },
  ], "a\n"],
  ["replaces a text over CRLF endings", "a\r\nb\r\nc\r\n", [
    { old_text: "a\nb", new_text: "x\ny\nz" },
  ], "x\r\ny\r\nz\r\nc\r\n"],
  ["keeps mixed endings of lines that old and new text share", "a\r\nb\nc\r\nd\n", [
    { old_text: "a\nb\nc\nd", new_text: "a\nb\nnew\nc\nd" },
  ], "a\r\nb\nnew\r\nc\r\nd\n"],
  ["removes text inside a line", "let x = 1;\n", [{ old_text: " = 1", new_text: "" }], "let x;\n"],
  ["inserts before an empty line that is replaced", "a\n\n", [
    { op: "replace", pos: lineAnchor("", 2), lines: ["3"] },
    { op: "prepend", pos: lineAnchor("", 2), lines: ["2"] },
    { op: "append", pos: lineAnchor("a", 1), lines: ["1"] },
  ], "a\n1\n2\n3\n"],
  ["accepts op replace beside old_text", "a\n", [
    { op: "replace", old_text: "a", new_text: "b" },
  ], "b\n"],
  ["edits a line with astral letters next to each other", "😀\n", [
    { old_text: "😀", new_text: "😁" },
  ], "😁\n"],
  ["takes a trailing newline of an item as its ending", "a\n", [
    { op: "append", pos: lineAnchor("a", 1), lines: ["b\n", "c\nd"] },
  ], "a\nb\nc\nd\n"],
  ["takes an anchor with the text behind it", "a\n", [
    { op: "replace", pos: `${lineAnchor("a", 1)}:a`, lines: ["b"] },
  ], "b\n"],
];

for (const [name, content, edits, expected] of RESULTS) {
  Deno.test(`edit_file ${name}`, () =>
    withWorkspace(async (workspace) => {
      const result = await edit(workspace, content, edits);
      equal(result.isError, false, result.output);
      equal(workspace.read("f"), expected);
      deepEqual(result.details, {
        type: "FileChange",
        path: "f",
        before: content,
        after: expected,
      });
      equal(workspace.tracker.status(`${workspace.root}/f`, expected), "current");
    }));
}

for (const text of ["$$", "$&", "$`", "$'", "$1", "$<x>", "\\n", "`${x}`"]) {
  Deno.test(`B79 edit_file writes ${text} as it is`, () =>
    withWorkspace(async (workspace) => {
      await edit(workspace, "a\nb\n", [{ op: "replace", pos: lineAnchor("a", 1), lines: [text] }]);
      equal(workspace.read("f"), `${text}\nb\n`);
      await edit(workspace, "a\nb\n", [{ old_text: "a", new_text: text }]);
      equal(workspace.read("f"), `${text}\nb\n`);
    }));
}

/** Cases that change nothing: content, edits, what the model is told. */
const REFUSALS: readonly [string, string, Edits, RegExp][] = [
  [
    "stale anchors, with fresh ones around",
    "a\nb\nc\n",
    [
      { op: "replace", pos: "2#ZZZZ", lines: ["x"] },
    ],
    /^Nothing was written to "f"\.\nEdit 1: anchor "2#ZZZZ" is stale[\s\S]*lines="1-3\/3"[\s\S]*2#[A-Z]{4}:b/,
  ],
  ["anchors behind the end", "a\n", [
    { op: "replace", pos: "9#ZZZZ", lines: ["x"] },
  ], /names line 9, but the file has lines 1 to 1/],
  ["reversed ranges", "a\nb\n", [
    { op: "replace", pos: lineAnchor("b", 2), end: lineAnchor("a", 1), lines: ["x"] },
  ], /its range is reversed: it ends at line 1, before line 2/],
  ["overlapping ranges", "a\nb\nc\n", [
    { op: "replace", pos: lineAnchor("a", 1), end: lineAnchor("b", 2), lines: ["x"] },
    { op: "replace", pos: lineAnchor("b", 2), lines: ["y"] },
  ], /Edit 2: it overlaps with edit 1/],
  ["an insert into a replaced range", "a\nb\nc\n", [
    { op: "append", pos: lineAnchor("a", 1), lines: ["y"] },
    { op: "replace", pos: lineAnchor("a", 1), end: lineAnchor("b", 2), lines: ["x"] },
  ], /overlaps with edit/],
  ["an insert at a line that another edit deletes", "a\nb", [
    { op: "append", pos: lineAnchor("b", 2), lines: ["y"] },
    { op: "delete", pos: lineAnchor("b", 2) },
  ], /Edit 1: it hangs on line 2, which edit 2 deletes/],
  ["a text over the end of a replaced, empty line", "\nfoo\n", [
    { op: "replace", pos: lineAnchor("", 1), lines: ["x"] },
    { old_text: "\nfoo", new_text: "y" },
  ], /Edit 2: it overlaps with edit 1/],
  ["one good and one bad edit together", "a\nb\n", [
    { op: "replace", pos: lineAnchor("a", 1), lines: ["x"] },
    { op: "replace", pos: "2#ZZZZ", lines: ["y"] },
  ], /Edit 2: anchor/],
  [
    "old_text that stands twice",
    "a\nb\na\n",
    [{ old_text: "a", new_text: "x" }],
    /stands 2 times, at lines 1, 3/,
  ],
  [
    "old_text that overlaps with itself",
    "aaa\n",
    [{ old_text: "aa", new_text: "x" }],
    /stands 2 times/,
  ],
  [
    "old_text that stands very often",
    "a".repeat(100),
    [{ old_text: "a", new_text: "x" }],
    /more than 5 times/,
  ],
  [
    "old_text that is not there",
    "a\n",
    [{ old_text: "z", new_text: "x" }],
    /does not stand in the file/,
  ],
  ["old_text that differs in white space, shown but not applied", "if (x) {\n\treturn  1;\n}\n", [
    { old_text: "if (x) {\n  return 1;", new_text: "no" },
  ], /differing in white space only it does at line 1\.[\s\S]*1#[A-Z]{4}:if \(x\)/],
  ["old_text with anchors", "let a\n", [
    { old_text: "1#KTXJ:let a", new_text: "x" },
  ], /old_text carries anchors/],
  ["old_text with a mask", "key = 1\n", [
    { old_text: "key = [REDACTED]", new_text: "x" },
  ], /a mask that does not stand in the file/],
  ["edits that change nothing", "a\n", [{ old_text: "a", new_text: "a" }], /leave "f" as it is/],
  ["anchors in new lines", "a\n", [
    { op: "replace", pos: lineAnchor("a", 1), lines: ["1#KTXJ:b"] },
  ], /starts lines with anchors/],
  ["masks over real content", "key = 12345\n", [
    { op: "replace", pos: lineAnchor("key = 12345", 1), lines: ["key = [REDACTED]"] },
  ], /holds \[REDACTED\], a mask/],
  ["disarmed markers over real ones", "<context a>\n", [
    { op: "replace", pos: lineAnchor("<context a>", 1), lines: ["‹context b>"] },
  ], /stands for "<context"/],
  ["an edit without anything", "a\n", [{}], /needs either op/],
  ["both kinds at once", "a\n", [
    { pos: lineAnchor("a", 1), old_text: "a", new_text: "b" },
  ], /send one kind only/],
  [
    "a bad anchor",
    "a\n",
    [{ op: "replace", pos: "1", lines: ["b"] }],
    /pos must be an anchor LINE#HASH/,
  ],
  [
    "replace without lines",
    "a\n",
    [{ op: "replace", pos: lineAnchor("a", 1) }],
    /"replace" needs lines/,
  ],
  ["delete with lines", "a\n", [
    { op: "delete", pos: lineAnchor("a", 1), lines: ["x"] },
  ], /"delete" takes no lines/],
  [
    "append without lines",
    "a\n",
    [{ op: "append", pos: lineAnchor("a", 1) }],
    /"append" needs lines/,
  ],
  ["replace without pos", "a\n", [{ op: "replace", lines: ["x"] }], /"replace" needs pos/],
  ["append with another end", "a\n", [
    { op: "append", pos: lineAnchor("a", 1), end: "2#KTXJ", lines: ["x"] },
  ], /takes pos, not end/],
  ["empty old_text", "a\n", [{ old_text: "", new_text: "x" }], /old_text is empty/],
  ["old_text alone", "a\n", [{ old_text: "a" }], /old_text needs new_text/],
];

for (const [name, content, edits, message] of REFUSALS) {
  Deno.test(`edit_file refuses ${name}`, () =>
    withWorkspace(async (workspace) => {
      const result = await edit(workspace, content, edits);
      equal(result.isError, true);
      match(result.output, message);
      equal(workspace.read("f"), content);
      deepEqual(workspace.names(), ["f"]);
    }));
}

Deno.test("edit_file requires that the file was read and is still the same", () =>
  withWorkspace(async ({ run, write, read, tracker }) => {
    write("f", "a\n");
    const edits: Edits = [{ old_text: "a", new_text: "b" }];
    match((await run(EDIT_FILE, { path: "f", edits })).output, /have not read it/);
    await run(READ_FILE, { path: "f" });
    write("f", "a\nnew\n");
    match((await run(EDIT_FILE, { path: "f", edits })).output, /has changed since[\s\S]*\n\+new\n/);
    equal(read("f"), "a\nnew\n");
    tracker.forgetReads();
    await run(READ_FILE, { path: "f" });
    equal((await run(EDIT_FILE, { path: "f", edits })).isError, false);
  }));

Deno.test("edit_file says why it cannot edit what is no text, too big, or not there", () =>
  withWorkspace(async ({ run, write, root }) => {
    write("bin", new Uint8Array([0, 1]));
    write("latin1", new Uint8Array([0x61, 0xe4]));
    write("big", new Uint8Array(10 * 1024 * 1024 + 1).fill(97));
    Deno.mkdirSync(`${root}/folder`);
    const table: readonly [string, RegExp][] = [
      ["bin", /Cannot edit "bin": it is a binary file, not text/],
      ["latin1", /not valid UTF-8 .*convert it to UTF-8 first/],
      ["big", /it has 10\.5 MB, more than 10 MiB; change it with a command/],
      ["folder", /it is a folder/],
      ["none", /Cannot find "none"/],
      ["../f", /outside the root/],
    ];
    for (const [path, message] of table) {
      const result = await run(EDIT_FILE, { path, edits: [{ old_text: "a", new_text: "b" }] });
      equal(result.isError, true);
      match(result.output, message);
    }
  }));

Deno.test({
  name: "B88 edit_file keeps the mode, writes through a link, and in place where links are hard",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ run, write, read, root, names }) => {
      write("bin/run.sh", "echo a\n");
      Deno.chmodSync(`${root}/bin/run.sh`, 0o755);
      Deno.symlinkSync("bin/run.sh", `${root}/link`);
      Deno.linkSync(`${root}/bin/run.sh`, `${root}/twin`);
      await run(READ_FILE, { path: "link" });
      const edits: Edits = [{ old_text: "echo a", new_text: "echo b" }];
      const result = await run(EDIT_FILE, { path: "link", edits });
      match(result.output, /Applied 1 edit to "bin\/run\.sh"/);
      for (const path of ["bin/run.sh", "link", "twin"]) equal(read(path), "echo b\n");
      ok(Deno.lstatSync(`${root}/link`).isSymlink);
      equal((Deno.statSync(`${root}/bin/run.sh`).mode ?? 0) & 0o777, 0o755);
      deepEqual(names(), ["bin", "link", "twin"]);
    }),
});

Deno.test("B85 edit_file shows the old and the new text in its diff, and fresh anchors", () =>
  withWorkspace(async (workspace) => {
    const content = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");
    const { output } = await edit(workspace, content, [
      { op: "replace", pos: lineAnchor("line 10", 10), lines: ["LINE X"] },
    ]);
    const anchors = Array.from({ length: 11 }, (_, index) => index + 5)
      .map((line) =>
        line === 10
          ? `${lineAnchor("LINE X", 10)}:LINE X`
          : `${lineAnchor(`line ${line}`, line)}:line ${line}`
      );
    equal(
      output,
      [
        'Applied 1 edit to "f".',
        '<context path="f" diff="applied">',
        "--- a/f",
        "+++ b/f",
        "@@ -7,7 +7,7 @@",
        " line 7",
        " line 8",
        " line 9",
        "-line 10",
        "+LINE X",
        " line 11",
        " line 12",
        " line 13",
        "<context:end>",
        "Fresh anchors:",
        '<context path="f" lines="5-15/20">',
        ...anchors,
        "<context:end>",
      ].join("\n"),
    );
    const next = await workspace.run(EDIT_FILE, {
      path: "f",
      edits: [{ op: "delete", pos: lineAnchor("LINE X", 10) }],
    });
    equal(next.isError, false);
  }));

Deno.test("edit_file moves an anchor to the one line that was served under it", () =>
  withWorkspace(async (workspace) => {
    const names = ["alpha", "bravo", "charlie", "delta", "foxtrot"];
    const content = names.map((name) => `${name} ${name}\n`).join("");
    const anchor = lineAnchor("delta delta", 4);
    await edit(workspace, content, [{
      op: "prepend",
      lines: ["one new line", "another new line"],
    }]);
    const result = await workspace.run(EDIT_FILE, {
      path: "f",
      edits: [{ op: "replace", pos: anchor, lines: ["DELTA"] }],
    });
    equal(result.isError, false, result.output);
    match(result.output, /Note on edit 1: line 4 had moved to line 6 and was changed there\./);
    equal(workspace.read("f").split("\n")[5], "DELTA");
  }));

Deno.test("B82 edit_file never lands on a neighbour that looks alike", () =>
  withWorkspace(async (workspace) => {
    const content = Array.from({ length: 10 }, (_, index) => `f${index}() {\n}\n`).join("");
    const third = lineAnchor("}", 6);
    await edit(workspace, content, [{ op: "delete", pos: lineAnchor("}", 2) }]);
    const before = workspace.read("f");
    const result = await workspace.run(EDIT_FILE, {
      path: "f",
      edits: [{ op: "replace", pos: third, lines: ["} // third"] }],
    });
    equal(result.isError, true);
    match(result.output, /^Nothing was written/);
    equal(workspace.read("f"), before);
  }));

Deno.test("B82 edit_file does not move anchors of short lines, of twins, or out of reach", () =>
  withWorkspace(async (workspace) => {
    const filler = Array.from({ length: 70 }, (_, index) => `filler ${index}`);
    const table: readonly [string, string[]][] = [
      ["ab = 1", ["x", "ab = 1"]],
      ["return value", ["return value moved", "return value", "return value"]],
      ["return value", [...filler, "return value"]],
    ];
    for (const [line, after] of table) {
      await edit(workspace, `${line}\nlast\n`, [
        { op: "replace", pos: lineAnchor(line, 1), lines: after },
      ]);
      const before = workspace.read("f");
      const result = await workspace.run(EDIT_FILE, {
        path: "f",
        edits: [{ op: "delete", pos: lineAnchor(line, 1) }],
      });
      equal(result.isError, true, line);
      equal(workspace.read("f"), before);
    }
  }));

Deno.test("edit_file does not move an anchor whose text was never served", () =>
  withWorkspace(async (workspace) => {
    const result = await edit(workspace, "first\nsecond line\n", [
      { op: "delete", pos: lineAnchor("second line", 1) },
    ]);
    equal(result.isError, true);
    match(result.output, /is stale/);
  }));

Deno.test("edit_file refuses a range whose ends moved apart", () =>
  withWorkspace(async (workspace) => {
    await edit(workspace, "start here\nmiddle part\nfinish here\n", [
      { op: "append", pos: lineAnchor("start here", 1), lines: ["not seen in that range"] },
    ]);
    const result = await workspace.run(EDIT_FILE, {
      path: "f",
      edits: [
        { op: "delete", pos: lineAnchor("start here", 1), end: lineAnchor("finish here", 3) },
      ],
    });
    match(result.output, /lines 1 to 3 are not the same range any more/);
  }));

Deno.test("B83 edit_file reports new lines that repeat their neighbours", () =>
  withWorkspace(async (workspace) => {
    const content = "aaa\nbbb\nccc\nddd\n";
    const one = await edit(workspace, content, [
      { op: "append", pos: lineAnchor("bbb", 2), lines: ["bbb", "NEW"] },
    ]);
    match(one.output, /its first new line repeats line 2, which stands right before it/);
    equal(workspace.read("f"), "aaa\nbbb\nbbb\nNEW\nccc\nddd\n");
    const two = await edit(workspace, content, [
      { op: "replace", pos: lineAnchor("ccc", 3), lines: ["CCC", "ddd"] },
    ]);
    match(two.output, /its last new line repeats line 4, which stands right behind it/);
    const three = await edit(workspace, content, [
      { op: "replace", pos: lineAnchor("ccc", 3), lines: ["CCC"] },
    ]);
    ok(!three.output.includes("repeats"));
  }));

Deno.test("B154 edit_file leaves content with secrets to the redactor and keeps it on disk", () =>
  withWorkspace(async (workspace) => {
    const secret = "token = ghp_0123456789abcdefghijABCDEFGHIJ012345";
    await edit(workspace, `${secret}\na = 1\n`, [{ old_text: "a = 1", new_text: "a = 2" }]);
    equal(workspace.read("f"), `${secret}\na = 2\n`);
    const noted = await edit(workspace, "a\n", [{ op: "append", lines: ["says [REDACTED]"] }]);
    match(noted.output, /it wrote \[REDACTED\] literally/);
  }));

Deno.test("B77 edit_file keeps byte order mark and encoding", () =>
  withWorkspace(async ({ run, write, bytes }) => {
    write("bom", new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("hello\n")]));
    write("wide", new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0]));
    await run(READ_FILE, { path: "bom" });
    await run(READ_FILE, { path: "wide" });
    await run(EDIT_FILE, {
      path: "bom",
      edits: [
        { op: "replace", pos: lineAnchor("hello", 1), lines: ["bye"] },
        { op: "prepend", pos: lineAnchor("hello", 1), lines: ["first"] },
      ],
    });
    deepEqual(
      bytes("bom"),
      new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("first\nbye\n")]),
    );
    await run(EDIT_FILE, { path: "wide", edits: [{ old_text: "a", new_text: "ü\nb" }] });
    deepEqual(
      bytes("wide"),
      new Uint8Array([0xff, 0xfe, 0xfc, 0, 13, 0, 10, 0, 0x62, 0, 13, 0, 10, 0]),
    );
  }));

Deno.test({
  name: "B86 edit_file loses no change of parallel calls, also through a link",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ run, write, read, root }) => {
      const names = ["alpha", "bravo", "charlie", "delta"];
      write("f", names.map((name) => `${name}\n`).join(""));
      Deno.symlinkSync("f", `${root}/link`);
      await run(READ_FILE, { path: "f" });
      const results = await Promise.all(names.map((name, index) =>
        run(EDIT_FILE, {
          path: index === 3 ? "link" : "f",
          edits: [{
            op: "replace",
            pos: lineAnchor(name, index + 1),
            lines: [name.toUpperCase(), `${name} end`],
          }],
        })
      ));
      for (const result of results) equal(result.isError, false, result.output);
      equal(read("f"), names.map((name) => `${name.toUpperCase()}\n${name} end\n`).join(""));
      ok(Deno.lstatSync(`${root}/link`).isSymlink);
    }),
});

Deno.test("edit_file asks before it edits protected and secret files", () =>
  withWorkspace(async ({ context, write }) => {
    write(".env", "A=1\n");
    write(".git/config", "[core]\n");
    const guard = (path: string) => EDIT_FILE.guard?.({ path, edits: [] }, context);
    match(await guard(".env") ?? "", /usually holds secrets/);
    match(await guard(".git/config") ?? "", /can change what git or rho runs/);
    equal(await guard("a"), undefined);
  }));

Deno.test("edit_file previews the diff and changes nothing", () =>
  withWorkspace(async ({ context, run, write, read }) => {
    write("f", "a\nb\n");
    await run(READ_FILE, { path: "f" });
    const edits: Edits = [{ op: "replace", pos: lineAnchor("b", 2), lines: ["B"] }];
    const preview = await EDIT_FILE.preview?.({ path: "f", edits }, context);
    equal(preview?.text, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
    equal(await EDIT_FILE.preview?.({ path: "f", edits: [{}] }, context), undefined);
    equal(read("f"), "a\nb\n");
  }));

Deno.test("edit_file keeps its result within the budget", () =>
  withWorkspace(async (workspace) => {
    const content = Array.from({ length: 3000 }, (_, index) => `some line ${index}\n`).join("");
    const lines = Array.from({ length: 3000 }, (_, index) => `other line ${index}`);
    const { output } = await edit(workspace, content, [
      {
        op: "replace",
        pos: lineAnchor("some line 0", 1),
        end: lineAnchor("some line 2999", 3000),
        lines,
      },
    ]);
    ok(output.length <= 4096, String(output.length));
    match(output, /lines="1-6,2995-3000\/3000"/);
  }, { maxOutputBytes: 4096 }));
