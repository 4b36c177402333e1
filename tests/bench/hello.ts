await Deno.stdout.write(new TextEncoder().encode("hello\n"));
