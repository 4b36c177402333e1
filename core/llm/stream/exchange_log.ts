import { loggedHeaders, loggedUrl, type RequestLog } from "../request_log.ts";

/** Options of {@linkcode ExchangeLog}. */
export interface ExchangeLogOptions {
  readonly log: RequestLog;
  readonly provider: string;
  /** Masks the provider's own secrets. */
  readonly scrub: (text: string) => string;
}

/** Writes one request and its response to the request log; the response once, when it is over. */
export class ExchangeLog {
  readonly #options: ExchangeLogOptions;
  readonly #id: number;
  readonly #decoder = new TextDecoder();
  #response: Response | undefined;
  #body = "";
  #written = false;

  constructor(options: ExchangeLogOptions) {
    this.#options = options;
    this.#id = options.log.nextId();
  }

  request(
    url: string,
    init: { readonly method?: "GET" | "POST"; readonly headers: Headers; readonly body: string },
  ): void {
    this.#options.log.request({
      id: this.#id,
      provider: this.#options.provider,
      method: init.method ?? "POST",
      url: loggedUrl(url),
      headers: loggedHeaders(init.headers),
      body: this.#options.scrub(init.body),
    });
  }

  head(response: Response): void {
    this.#response = response;
  }

  bytes(bytes: Uint8Array): void {
    this.#body += this.#decoder.decode(bytes, { stream: true });
  }

  text(text: string): void {
    this.#body += text;
  }

  /** Writes the response; later calls do nothing. */
  end(error?: string): void {
    if (this.#written) return;
    this.#written = true;
    this.#options.log.response({
      id: this.#id,
      ...(this.#response === undefined ? {} : {
        status: this.#response.status,
        headers: loggedHeaders(this.#response.headers),
      }),
      body: this.#options.scrub(this.#body + this.#decoder.decode()),
      ...(error === undefined ? {} : { error: this.#options.scrub(error) }),
    });
  }
}
