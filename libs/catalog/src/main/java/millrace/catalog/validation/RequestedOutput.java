package millrace.catalog.validation;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.OrderTerm;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.PlainText;
import millrace.catalog.text.Text;
import millrace.contracts.requests.FileFormat.Compression;
import millrace.contracts.requests.FileFormat.Form;
import millrace.contracts.requests.ReportQuery.Output;
import org.jspecify.annotations.Nullable;

/** Reads format, order, delivery, name and limits of the report. */
final class RequestedOutput {
    private static final String DOWNLOAD_LINK = "download_link";
    /** What clients of the original API may ask for, and what is there instead. */
    private static final Map<String, String> NOT_OFFERED = Map.of(
            "bucket_access", "files are not written to buckets here",
            "snowflake", "files are not shared over Snowflake here",
            "orc", "files are not written as ORC here");

    private final RawRequest raw;
    private final RequestProblems problems;

    RequestedOutput(RawRequest raw, RequestProblems problems) {
        this.raw = raw;
        this.problems = problems;
    }

    Output output() {
        String compression = word(RequestFields.COMPRESSION, Compression.words());
        return new Output(
                word(RequestFields.DELIVERY_METHOD, List.of(DOWNLOAD_LINK)),
                word(RequestFields.RESPONSE_FORMAT, Form.words()),
                word(RequestFields.CSV_SAFETY, List.of("none", "spreadsheet")),
                compression.equals(Compression.NONE.word()) ? null : compression);
    }

    @Nullable
    Integer limit() {
        Long limit = whole(RequestFields.LIMIT, 1, RequestLimits.LARGEST_LIMIT);
        return limit == null ? null : limit.intValue();
    }

    /** Null where the report begins with its first row. */
    @Nullable
    Integer offset() {
        Long offset = whole(RequestFields.OFFSET, 0, RequestLimits.LARGEST_OFFSET);
        return offset == null || offset == 0 ? null : offset.intValue();
    }

    @Nullable
    Long maxCredits() {
        return whole(RequestFields.MAX_CREDITS, 1, Long.MAX_VALUE);
    }

    @Nullable
    String webhookUrl() {
        Optional<String> sent = raw.text(RequestFields.WEBHOOK_URL);
        Optional<String> url = sent.map(WebhookUrl::withScheme);
        if (!url.equals(sent)) {
            problems.change(RequestFields.WEBHOOK_URL, "has no scheme, so it is taken as https");
        }
        url.flatMap(WebhookUrl::fault).ifPresent(fault -> problems.error(RequestFields.WEBHOOK_URL, fault));
        return url.orElse(null);
    }

    @Nullable
    String reportName() {
        Optional<String> name =
                raw.text(RequestFields.REPORT_NAME).map(sent -> PlainText.normal(PlainText.stripped(sent.strip())));
        name.flatMap(n -> fault(n, "must be a name"))
                .ifPresent(fault -> problems.error(RequestFields.REPORT_NAME, fault));
        return name.orElse(null);
    }

    /**
     * What is wrong with a text that people read, in its normal form; empty if nothing is.
     *
     * @param missing what to say if there is nothing to read, or too much
     */
    static Optional<String> fault(String text, String missing) {
        boolean unreadable = PlainText.stripped(text).isEmpty()
                || text.codePointCount(0, text.length()) > RequestLimits.LONGEST_NAME
                || text.codePoints().anyMatch(RequestedOutput::unprintable);
        Optional<String> fault = unreadable ? Optional.of(missing) : PlainText.fault(text);
        return fault.map(
                f -> f + "; accepted: 1 to " + RequestLimits.LONGEST_NAME + " characters, none of them for control");
    }

    /** Lone surrogates are not characters, and could not be written as UTF-8. */
    static boolean unprintable(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE;
    }

    @Nullable
    Integer retentionDays() {
        Optional<BigInteger> days = raw.integer(RequestFields.RETENTION_DAYS);
        Optional<Integer> offered = days.flatMap(d -> RequestLimits.RETENTION_DAYS.stream()
                .filter(o -> d.equals(BigInteger.valueOf(o)))
                .findFirst());
        if (days.isPresent() && offered.isEmpty()) {
            problems.error(
                    RequestFields.RETENTION_DAYS,
                    days.get() + " is not offered; accepted: "
                            + RequestLimits.RETENTION_DAYS.stream()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", ")));
        }
        return offered.orElse(null);
    }

    /** Rows have one order, which a request may name. */
    void checkOrder(Dataset dataset) {
        if (!raw.has(RequestFields.SORT) && !raw.has(RequestFields.SORT_ASC)) {
            return;
        }
        List<OrderTerm> order = dataset.rowOrder();
        OrderTerm first = order.getFirst();
        List<OrderTerm> named = order.stream()
                .filter(term ->
                        term.equals(first) || dataset.metric(term.column()).isPresent())
                .toList();
        Optional<String> column = raw.text(RequestFields.SORT);
        Optional<OrderTerm> sort = named.stream()
                .filter(term -> term.column().equals(column.orElse(first.column())))
                .findFirst();
        String rows =
                "; rows come by " + order.stream().map(OrderTerm::toString).collect(Collectors.joining(", "));
        if (sort.isEmpty()) {
            problems.error(
                    RequestFields.SORT,
                    Text.quoted(column.orElse("")) + " is not offered" + rows + "; accepted: "
                            + named.stream().map(OrderTerm::column).collect(Collectors.joining(" or ")));
            return;
        }
        boolean ascending = !sort.get().descending();
        raw.optionalFlag(RequestFields.SORT_ASC)
                .filter(asked -> asked != ascending)
                .ifPresent(asked -> problems.error(
                        RequestFields.SORT_ASC,
                        asked + " is not offered for " + sort.get().column() + rows + "; accepted: " + ascending));
    }

    /** Returns the first word where the request does not have the field. */
    private String word(String field, List<String> words) {
        String word = raw.text(field).orElse(words.getFirst());
        if (!words.contains(word)) {
            String refusal = NOT_OFFERED.get(word);
            problems.error(
                    field,
                    Text.quoted(word) + (refusal == null ? " is not known" : " is not offered: " + refusal)
                            + "; accepted: " + String.join(", ", words));
        }
        return word;
    }

    private @Nullable Long whole(String field, long least, long largest) {
        Optional<BigInteger> value = raw.integer(field);
        if (value.isEmpty()) {
            return null;
        }
        if (value.get().compareTo(BigInteger.valueOf(least)) < 0
                || value.get().compareTo(BigInteger.valueOf(largest)) > 0) {
            problems.error(
                    field,
                    value.get() + " is out of range; accepted: an integer from " + least + " to "
                            + Text.number(largest));
        }
        return value.get().longValue();
    }
}
