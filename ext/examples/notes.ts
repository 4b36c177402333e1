/// <reference path="../types/rho.d.ts" />

const KIND = "rho-examples.notes.v1";

/** Keeps notes in the session: the model adds them, a person lists them with a command. */
export default {
  name: "notes",
  version: "1.0.0",
  tools: [{
    name: "add_note",
    description: "Remembers a note for the rest of this session",
    risk: "read",
    parameters: { text: { type: "string", description: "The note", required: true } },
    executeJson({ text }: { text: string }) {
      const notes: string[] = [...rho.getState(KIND) ?? [], text];
      rho.setState(KIND, notes);
      return `Note ${notes.length} is kept`;
    },
  }],
  commands: [{
    name: "notes",
    description: "Lists the notes of this session",
    handler() {
      const notes: string[] = rho.getState(KIND) ?? [];
      return notes.map((note, index) => `${index + 1}. ${note}`).join("\n") || "No notes yet";
    },
  }],
} satisfies ExtensionManifest;
