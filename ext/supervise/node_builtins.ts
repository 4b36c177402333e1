/**
 * The names of Node's modules, without `node:`, that Deno 2.9.6 serves or knows; a test compares
 * them with `builtinModules`.
 */
export const NODE_BUILTINS: readonly string[] = [
  ..."_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server".split(" "),
  ..."_stream_duplex _stream_passthrough _stream_readable _stream_transform".split(" "),
  ..."_stream_writable _stream_wrap _tls_common _tls_wrap assert assert/strict".split(" "),
  ..."async_hooks buffer child_process cluster console constants crypto dgram".split(" "),
  ..."diagnostics_channel dns dns/promises domain events fs fs/promises http http2".split(" "),
  ..."https inspector inspector/promises internal/test module net os path path/posix".split(" "),
  ..."path/win32 perf_hooks process punycode querystring quic readline".split(" "),
  ..."readline/promises repl sea sqlite stream stream/consumers stream/promises".split(" "),
  ..."stream/web string_decoder sys test test/reporters timers timers/promises tls".split(" "),
  ..."trace_events tty url util util/types v8 vm wasi worker_threads zlib".split(" "),
];
