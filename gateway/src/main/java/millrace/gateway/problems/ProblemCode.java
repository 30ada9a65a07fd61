package millrace.gateway.problems;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The kinds of errors, by which programs tell one from another: a code stays as it is, the
 * sentences beside it may change. In the order of {@code docs/reference/errors.md}.
 */
public enum ProblemCode {
    INVALID_REQUEST(
            400,
            "a field, parameter or header is missing, unknown or wrong, or the body is no valid JSON",
            "mend what `errors` names"),
    TAG_LIMIT(
            400,
            "the account's reports have 20 tags of different names already, or 1,000 values of this one",
            "use a tag or a value that is there, or `report_name`"),
    MALFORMED_MESSAGE(
            400,
            "the message is not HTTP as RFC 9112 defines it, or its body ends too early",
            "mend the client, or the proxy before it"),
    WEBHOOK_TEST_FAILED(400, "the receiver of a test did not accept it, or could not be reached", "mend the receiver"),
    PREVIEW_NOT_SUPPORTED(400, "the report has a format of which there are no previews", "download the file"),
    KEY_MISSING(401, "the request carries no key", "send the key in the header that `errors` names"),
    KEY_UNKNOWN(401, "no key has this text, or the key was revoked or is switched off", "use another key"),
    KEY_EXPIRED(401, "the key has expired", "use another key"),
    WRONG_KEY_KIND(401, "the key is of the kind `rest`, which opens no batch calls", "use a batch key"),
    INSUFFICIENT_CREDITS(402, "the estimate is above what remains; `errors` has both", "ask for less, or buy credits"),
    ACCOUNT_SUSPENDED(403, "the account is suspended", "ask the operator"),
    SCOPE_MISSING(403, "the key does not have the scope that `errors` names", "use a key that has it"),
    LINK_ALTERED(403, "the download link is not one that was signed here", "take `download_url` as it is"),
    ORIGIN_NOT_ALLOWED(403, "a web page of this origin may not use the API", "ask the operator, or call from a server"),
    NOT_FOUND(404, "there is nothing at this path", "look the path up in `/openapi.json`"),
    DATASET_NOT_FOUND(404, "there is no such dataset", "take one that `errors` names"),
    REPORT_NOT_FOUND(404, "the account has no such report, or no longer", "check the id, and whose key it is"),
    DELIVERY_NOT_FOUND(
            404, "the account has no such webhook delivery, or it is not kept any more", "list the deliveries"),
    ENDPOINT_NOT_FOUND(404, "the account has no such webhook endpoint", "list the endpoints"),
    STATEMENT_NOT_FOUND(404, "the account has no statement of this month", "list the statements"),
    SUBSCRIPTION_NOT_FOUND(404, "the account has no such subscription", "list the subscriptions"),
    KEY_NOT_FOUND(404, "the account has no key with this id", "list the keys"),
    ACCOUNT_NOT_FOUND(404, "there is no such account", "list the accounts"),
    METHOD_NOT_ALLOWED(405, "the path does not take this method", "use one that the header `Allow` names"),
    NOT_ACCEPTABLE(406, "there is no answer of a type that `Accept` allows", "leave `Accept` out"),
    QUOTE_EXPIRED(409, "the quarter of an hour is over for which the `quote` holds", "validate the request again"),
    QUOTE_MISMATCH(
            409,
            "the `quote` was not made for this request, account and kind of key",
            "validate the request again; send it as it was validated"),
    IDEMPOTENCY_CONFLICT(
            409, "the `Idempotency-Key` belongs to another request, or to a report that was erased", "use a new one"),
    RETRY_IN_PROGRESS(409, "the report is being retried already", "ask for its status"),
    REPORT_NOT_RETRYABLE(
            409, "the report has not failed, cannot be mended by a retry, or was retried too often", "make a new one"),
    REPORT_ENDED(409, "the report has ended, so that it cannot be cancelled", "ask for its status"),
    REPORT_NOT_ENDED(
            409, "the report is processing, so that it cannot be erased", "cancel it first, or wait for its end"),
    REPORT_NOT_COMPLETE(409, "the report has no rows to show yet", "ask for its status until it is complete"),
    LAST_KEY(
            409,
            "it is the last valid batch key with all scopes, or the last that lasts as long",
            "make another key first"),
    NO_WEBHOOK_SECRET(409, "the account has no secret to sign webhooks with", "make one first"),
    ALREADY_SUBSCRIBED(409, "the URL is subscribed already", "nothing, or delete the subscription that `errors` names"),
    LIMIT_REACHED(409, "the account has as many keys, secrets or subscriptions as it may have", "remove one, or wait"),
    ACCOUNT_CLOSED(409, "the account is closed", "create another one"),
    ACCOUNT_EXISTS(409, "there is an account with this id", "choose another id"),
    ID_TAKEN(409, "the id is that of another grant or expiry", "choose another id"),
    VERSION_NOT_CURRENT(409, "the data have another version by now than `from`", "look, then decide again"),
    CHANGE_REFUSED(409, "the change is not possible as things are; `errors` says why", "look, then decide again"),
    LINK_EXPIRED(410, "the download link, or the report's file, has expired", "make the report again"),
    FILE_GONE(410, "the file is no longer there", "make the report again"),
    PRECONDITION_FAILED(
            412,
            "the file is not the one that `If-Match` or `If-Unmodified-Since` names",
            "download it from its start"),
    BODY_TOO_LARGE(413, "the body is larger than the bytes that `errors` names", "send less in one request"),
    REQUEST_TOO_LARGE(413, "what is in the request beside its longest lists is too large", "name fewer values"),
    URI_TOO_LONG(414, "the request line is too long", "send a shorter address"),
    UNSUPPORTED_MEDIA_TYPE(415, "the body is of another type than the path takes", "send `application/json`"),
    UNSUPPORTED_ENCODING(
            415,
            "the `Content-Encoding` is none of those that `Accept-Encoding` of the answer names",
            "use one of them"),
    RANGE_NOT_SATISFIABLE(416, "the file has no such range", "ask for one within `Content-Range`"),
    RATE_LIMITED(429, "more requests a second than the account may send", "wait for `Retry-After`"),
    TOO_MANY_OPEN_REPORTS(429, "the account has as many reports processing as it may have", "wait for `Retry-After`"),
    TOO_MANY_FEEDS(429, "the account has as many feeds open as it may have", "close one, or wait"),
    TOO_MANY_PREVIEWS(429, "too many previews are read at once", "wait for `Retry-After`"),
    TOO_MANY_CHANGES(
            429, "more changes of keys, secrets and subscriptions a minute than allowed", "wait for `Retry-After`"),
    TOO_MANY_RESENDS(429, "more webhooks a second are resent than allowed", "wait for `Retry-After`"),
    HEADERS_TOO_LARGE(431, "the headers are too large", "send fewer or shorter ones"),
    INTERNAL_ERROR(500, "a mistake of ours, which was logged", "give `request_id` to the operator"),
    BAD_GATEWAY(
            502,
            "the gateway that had the request ended without an answer; on a connection that was used before, the balancer closes it instead",
            "do as for `outcome_unknown`"),
    NO_GATEWAY(503, "no gateway answers", "do as for `outcome_unknown`"),
    GATEWAY_STARTING(
            503, "this gateway is still reading what it needs for the answer", "wait for `Retry-After`, then repeat"),
    GATEWAY_STOPPING(503, "this gateway is being stopped", "wait for `Retry-After`, then repeat"),
    GATEWAY_BUSY(503, "too many large requests are being read", "wait for `Retry-After`, then repeat"),
    KAFKA_UNAVAILABLE(
            503, "Kafka does not answer; nothing was accepted or changed", "wait for `Retry-After`, then repeat"),
    OUTCOME_UNKNOWN(
            503,
            "it is not known whether what was asked for is done",
            "look, or repeat; a report with the same `Idempotency-Key`"),
    STORAGE_UNAVAILABLE(
            503,
            "the report store or a disk of this gateway cannot be read or written; nothing was accepted",
            "wait for `Retry-After`, then repeat"),
    DISK_FULL(
            503, "a disk of this gateway has too little room to accept reports", "wait for `Retry-After`, then repeat"),
    NOT_YET_SUPPORTED(
            503,
            "the service is being upgraded, and a part of it does not know yet what the request asks for; nothing was accepted",
            "wait for `Retry-After`, then repeat"),
    DATASET_UNAVAILABLE(503, "what the data hold is not known at the moment", "wait for `Retry-After`, then repeat"),
    GATEWAY_TIMEOUT(504, "the gateway did not answer in time", "do as for `outcome_unknown`");

    private final int status;
    private final String when;
    private final String remedy;

    ProblemCode(int status, String when, String remedy) {
        this.status = status;
        this.when = when;
        this.remedy = remedy;
    }

    /** As answers spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ProblemCode::word).toList();
    }

    /** The HTTP status code of its answers. */
    public int status() {
        return status;
    }

    /** Part of a sentence in Markdown: when it is answered. */
    String when() {
        return when;
    }

    /** Part of a sentence in Markdown: what a client does then. */
    String remedy() {
        return remedy;
    }

    /** The code of an error that no route has answered, by its status. */
    public static ProblemCode ofStatus(int status) {
        return switch (status) {
            case 404 -> NOT_FOUND;
            case 405 -> METHOD_NOT_ALLOWED;
            case 406 -> NOT_ACCEPTABLE;
            case 413 -> BODY_TOO_LARGE;
            case 414 -> URI_TOO_LONG;
            case 415 -> UNSUPPORTED_MEDIA_TYPE;
            case 431 -> HEADERS_TOO_LARGE;
            default -> status < 500 ? INVALID_REQUEST : INTERNAL_ERROR;
        };
    }
}
