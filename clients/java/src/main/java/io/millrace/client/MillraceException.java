package io.millrace.client;

import java.util.List;

/** Base of all errors; its kinds are in it. */
public abstract class MillraceException extends RuntimeException {
    private final List<String> errors;
    private final boolean retryable;
    private final String code;
    private final String requestId;
    private String reportId;
    /** Of a submission. */
    String idempotencyKey;
    /** Whether the request may have been carried out all the same. */
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
     * What kind of error it is, for programs: of the service's answer like {@code insufficient_credits}, or of the
     * report; null where there is none, as of older services.
     */
    public String code() {
        return code;
    }

    /** The service's id of the request that failed, for its support; null where there is none. */
    public String requestId() {
        return requestId;
    }

    /** Of which report it is, or null. */
    public String reportId() {
        return reportId;
    }

    /** Of the submission, which can be repeated with it, or null. */
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

        ServiceException(int status, List<String> errors) {
            this(status, errors, null, null);
        }

        ServiceException(int status, List<String> errors, String code, String requestId) {
            super(errors, Http.UNAVAILABLE.contains(status), null, code, requestId);
            this.status = status;
        }

        /** The status code. */
        public int status() {
            return status;
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
