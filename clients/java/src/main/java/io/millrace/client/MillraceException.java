package io.millrace.client;

import java.util.List;

/** The base of all errors. The kinds of error are nested in it. */
public abstract class MillraceException extends RuntimeException {
    private final List<String> errors;
    private final boolean retryable;
    private final String code;
    private final String requestId;
    private String reportId;
    String idempotencyKey;
    boolean ambiguous;
    /** Seconds, or null. */
    Double retryAfter;

    MillraceException(List<String> errors, boolean retryable, Throwable cause) {
        this(errors, retryable, cause, null, null);
    }

    MillraceException(List<String> errors, boolean retryable, Throwable cause, String code, String requestId) {
        super(String.join(" ", errors) + (requestId == null ? "" : " (request id " + requestId + ")"), cause);
        this.errors = List.copyOf(errors);
        this.retryable = retryable;
        this.code = code;
        this.requestId = requestId;
    }

    /** Sentences that say what is wrong. */
    public List<String> errors() {
        return errors;
    }

    /** Whether the same call may succeed later. */
    public boolean retryable() {
        return retryable;
    }

    /**
     * What kind of error it is, for programs: that of the service's answer, like {@code insufficient_credits}, or that
     * of the report. Null if there is none, as with older services.
     */
    public String code() {
        return code;
    }

    /** The service's id of the request that failed, for its support; null if there is none. */
    public String requestId() {
        return requestId;
    }

    /** Whether the request may have been carried out all the same. */
    public boolean ambiguous() {
        return ambiguous;
    }

    /** The report that the error is about, or null. */
    public String reportId() {
        return reportId;
    }

    /** The key with which the submission can be repeated, or null. */
    public String idempotencyKey() {
        return idempotencyKey;
    }

    MillraceException of(String id) {
        reportId = reportId == null ? id : reportId;
        return this;
    }

    /** The service refused the call: status and errors are its answer. */
    public static final class ServiceException extends MillraceException {
        private final int status;
        private final transient Client.Answer answer;

        ServiceException(List<String> errors, Client.Answer answer) {
            this(errors, false, answer, null, null);
        }

        ServiceException(List<String> errors, boolean retryable, Client.Answer answer, String code, String requestId) {
            super(errors, retryable, null, code, requestId);
            this.status = answer.status();
            this.answer = answer;
        }

        /** The status code. */
        public int status() {
            return status;
        }

        /** The whole answer. It need not be the service's own: a proxy answers with a page, for example. */
        public Client.Answer answer() {
            return answer;
        }
    }

    /** The service could not be reached, or the connection broke, for longer than retryFor. */
    public static final class NoAnswerException extends MillraceException {
        NoAnswerException(String error, boolean ambiguous, Throwable cause) {
            super(List.of(error), true, cause);
            this.ambiguous = ambiguous;
        }
    }

    /** The report failed, or was cancelled: code says why, retryable whether {@link Client#retry} is accepted. */
    public static final class ReportException extends MillraceException {
        ReportException(String error, boolean retryable, String code) {
            super(List.of(error), retryable, null, code, null);
        }
    }

    /** The report was not ready in time. It goes on. */
    public static final class WaitTimeoutException extends MillraceException {
        WaitTimeoutException(String error) {
            super(List.of(error), true, null);
        }
    }

    /** The file is not the one that the status describes, is gone, or has no rows to read. */
    public static final class DownloadException extends MillraceException {
        DownloadException(String error, boolean retryable) {
            super(List.of(error), retryable, null);
        }
    }

    /** The webhook is not one that the service sent now. */
    public static final class WebhookException extends MillraceException {
        WebhookException(String error) {
            super(List.of(error), false, null);
        }
    }

    /** The thread was interrupted, which it still is. */
    public static final class InterruptedCallException extends MillraceException {
        InterruptedCallException(Exception cause) {
            super(List.of("The thread was interrupted."), true, cause);
            Thread.currentThread().interrupt();
        }
    }
}
