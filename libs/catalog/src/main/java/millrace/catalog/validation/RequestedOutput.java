package millrace.catalog.validation;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.Text;
import millrace.contracts.requests.FileFormat.Compression;
import millrace.contracts.requests.FileFormat.Form;
import millrace.contracts.requests.ReportQuery.Output;
import org.jspecify.annotations.Nullable;

/** Reads format, delivery and limits of the report. */
final class RequestedOutput {
    private static final long LARGEST_LIMIT = 1_000_000;

    private final RawRequest raw;
    private final RequestProblems problems;

    RequestedOutput(RawRequest raw, RequestProblems problems) {
        this.raw = raw;
        this.problems = problems;
    }

    Output output() {
        String compression = word(RequestFields.COMPRESSION, Compression.words());
        return new Output(
                word(RequestFields.DELIVERY_METHOD, List.of("download_link")),
                word(RequestFields.RESPONSE_FORMAT, Form.words()),
                word(RequestFields.CSV_SAFETY, List.of("none", "spreadsheet")),
                compression.equals(Compression.NONE.word()) ? null : compression);
    }

    @Nullable
    Integer limit() {
        Long limit = atLeastOne(RequestFields.LIMIT, LARGEST_LIMIT);
        return limit == null ? null : limit.intValue();
    }

    @Nullable
    Long maxCredits() {
        return atLeastOne(RequestFields.MAX_CREDITS, Long.MAX_VALUE);
    }

    @Nullable
    String webhookUrl() {
        Optional<String> url = raw.text(RequestFields.WEBHOOK_URL);
        url.flatMap(WebhookUrl::fault).ifPresent(fault -> problems.error(RequestFields.WEBHOOK_URL, fault));
        return url.orElse(null);
    }

    /** Returns the first word where the request does not have the field. */
    private String word(String field, List<String> words) {
        String word = raw.text(field).orElse(words.getFirst());
        if (!words.contains(word)) {
            problems.error(field, Text.quoted(word) + " is not known; accepted: " + String.join(", ", words));
        }
        return word;
    }

    private @Nullable Long atLeastOne(String field, long largest) {
        Optional<BigInteger> value = raw.integer(field);
        if (value.isEmpty()) {
            return null;
        }
        if (value.get().signum() < 1 || value.get().compareTo(BigInteger.valueOf(largest)) > 0) {
            problems.error(
                    field, value.get() + " is out of range; accepted: an integer from 1 to " + Text.number(largest));
        }
        return value.get().longValue();
    }
}
