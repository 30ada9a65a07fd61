/** Types of millrace.js. Requests and answers are the API's JSON; see /openapi.yaml of the service. */

export declare const VERSION: string;

/** Fields are sent as they are; those that the library does not know, too. */
export type ReportRequest = Record<string, unknown>;

/** Cells of CSV are texts, those of JSON Lines texts and numbers; null is an empty one. */
export type Row = Record<string, string | number | null>;

export interface Ticket {
  report_id: string;
  status: string;
}

export interface ReportStatus {
  report_id: string;
  dataset: string;
  status: 'processing' | 'complete' | 'internal_error' | (string & {});
  /** Absent while the report is processing. */
  outcome?: 'completed' | 'cancelled' | 'failed';
  sequence: number;
  submitted_at: string;
  updated_at: string;
  estimated_credits: number;
  progress?: number;
  download_url?: string;
  used_quota?: number;
  row_count?: number;
  file_size?: number;
  sha256?: string;
  expires_at?: string;
  /** Those of the request. */
  tags?: Record<string, string>;
  /** Of the data that the report is made from. */
  data_version?: string;
  data_published_at?: string;
  /** The same for every request for the same rows in the same form. */
  query_sha256?: string;
  render_form?: number;
  error?: {code: string; message: string; retryable: boolean; advice: string};
  [field: string]: unknown;
}

export interface Validation {
  is_valid: boolean;
  estimated_credits?: number;
  errors?: string[];
  warnings: string[];
  [field: string]: unknown;
}

/** Give the position to events() to go on after it. */
export interface FeedEvent {
  position: string | null;
  type: string;
  data: any;
}

export interface ClientOptions {
  /** Seconds within which an answer must have come; of files, the seconds without a byte. Default: 60. */
  timeout?: number;
  /** For how many seconds a call is repeated that finds the service unavailable. Default: 120. */
  retryFor?: number;
  /** Instead of the global one. */
  fetch?: (url: string, options: RequestInit) => Promise<Response>;
}

/** The signal cancels the call, which then rejects with the reason of the signal. */
export interface CallOptions {
  signal?: AbortSignal;
}

export interface SubmitOptions extends CallOptions {
  /** Default: a new one. */
  idempotencyKey?: string;
}

export declare class Client {
  constructor(key: string, baseUrl: string, options?: ClientOptions);

  /** Asks for a report and waits until it is complete; iterate over the result for its rows. */
  run(dataset: string, request: ReportRequest, options?: SubmitOptions & {waitTimeout?: number}): Promise<Report>;
  /** Asks for a report. Repeats with the same idempotencyKey and request are one report and one charge. */
  submit(dataset: string, request: ReportRequest, options?: SubmitOptions): Promise<Ticket>;
  /** Checks a request and estimates its credits, free. */
  validate(dataset: string, request: ReportRequest, options?: CallOptions): Promise<Validation>;
  /** The status of a report. */
  status(reportId: string, options?: CallOptions): Promise<ReportStatus>;
  /** Waits until the report has ended, asking when the service says; timeout is in seconds. */
  wait(reportId: string, options?: CallOptions & {timeout?: number | null}): Promise<ReportStatus>;
  /** The rows and the file of a complete report, given its id or its status. */
  download(report: string | ReportStatus, options?: CallOptions): Promise<Report>;
  /** Ends a report that is processing. */
  cancel(reportId: string, options?: CallOptions): Promise<Ticket>;
  /** Starts a failed report again, at most three times. */
  retry(reportId: string, options?: CallOptions): Promise<Ticket>;
  /** Deletes a report that has ended, with its file and its request. Credits are not given back. */
  erase(reportId: string, options?: CallOptions): Promise<void>;
  /** All reports of the account, newest first, read page by page. */
  history(
    filters?: {status?: string; dataset?: string; limit?: number; [name: string]: string | number | undefined},
    options?: CallOptions,
  ): AsyncGenerator<ReportStatus, void, undefined>;
  credits(options?: CallOptions): Promise<{remaining_credits: number; [field: string]: unknown}>;
  /** Names that are in the data and begin so. */
  entities(
    dataset: string,
    prefix?: string,
    limit?: number,
    options?: CallOptions,
  ): Promise<{entities: string[]; more: boolean}>;
  /** The account's events as they happen, without end; resumed where the connection breaks. */
  events(
    options?: CallOptions & {types?: string[]; lastEventId?: string | null},
  ): AsyncGenerator<FeedEvent, void, undefined>;
  /** Any call of the API that has no method here. */
  call(
    method: string,
    path: string,
    options?: CallOptions & {query?: Record<string, unknown>; body?: unknown; headers?: Record<string, string>},
  ): Promise<any>;
}

/** A complete report. Each way to read it downloads the file, and compares size and SHA-256 before it returns a row. */
export declare class Report implements AsyncIterable<Row> {
  private constructor();
  readonly id: string;
  readonly status: ReportStatus;
  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined>;
  /** The rows of a CSV or JSON Lines file, also with gzip; of a report in parts those of all its files. */
  rows(): AsyncGenerator<Row, void, undefined>;
  /** The files of a report in parts, each of which is read as a report is. Another report is its own file. */
  files(): Promise<Report[]>;
  /** Writes all files under the names that the service gives them, on Node. Resolves to their paths. */
  toFolder(path: string): Promise<string[]>;
  /** Writes the file as it is, on Node. */
  toFile(path: string): Promise<string>;
  /** The file as it is, in memory. */
  blob(): Promise<Blob>;
}

/** Base of all errors. */
export declare class MillraceError extends Error {
  /** Sentences that say what is wrong. */
  readonly errors: string[];
  /** Of the HTTP answer, where there is one. */
  readonly status: number | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  readonly reportId: string | null;
  /** Which kind of error it is, for programs: of the answer, or of the report. Older services have none. */
  readonly code: string | null;
  /** The service's id of the request, for its support. Older services have none. */
  readonly requestId: string | null;
  /** Of the submission, which can be repeated with it. */
  readonly idempotencyKey: string | null;
}
/** The service refused the call: status and errors are its answer. */
export declare class ServiceError extends MillraceError {}
/** The service could not be reached, or the connection broke, for longer than retryFor. */
export declare class NoAnswerError extends MillraceError {}
/** The report failed, or was cancelled: code says which. */
export declare class ReportError extends MillraceError {}
/** The report was not ready in time. It goes on. */
export declare class WaitTimeoutError extends MillraceError {}
/** The file is not the one that the status describes, is gone, or has no rows to read. */
export declare class DownloadError extends MillraceError {}
/** The webhook is not one that the service sent now. */
export declare class WebhookError extends MillraceError {}

/** A new version of a dataset, or a change of the current one. */
export interface DataVersion {
  dataset: string;
  /** Counts the versions of the dataset. */
  sequence: number;
  version: string;
  change: 'published' | 'restored' | (string & {});
  row_count: number;
  entity_count: number;
  /** The first days of the first and the last period, by granularity. */
  periods: Record<string, {first: string; last: string}>;
  previous?: {version: string; periods: Record<string, {first: string; last: string}>};
  occurred_at: string;
  [field: string]: unknown;
}

/** What a webhook tells of; event_type decides which it is. Newer services have others. */
export type WebhookEvent =
  | {event_type: 'report_status_change'; payload: ReportStatus}
  | {event_type: 'data_version_available'; payload: DataVersion}
  | {event_type: 'test_webhook_endpoint'; payload: string};

/** Resolves to the event, or rejects with a WebhookError (https://www.standardwebhooks.com/). */
export declare function verifyWebhook(
  secret: string | string[],
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array | ArrayBuffer,
  options?: {tolerance?: number; now?: number},
): Promise<WebhookEvent>;
