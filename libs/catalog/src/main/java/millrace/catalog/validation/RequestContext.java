package millrace.catalog.validation;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import millrace.catalog.access.Entitlements;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import org.jspecify.annotations.Nullable;

/**
 * What a request is checked against beside its dataset.
 *
 * @param entitlements of the calling account
 * @param dialect of the report
 * @param lastPeriods first day of the last period in the data; empty where there is none, or the
 *     data are not known
 * @param sent how the client has sent what is read as a body of v3
 */
public record RequestContext(
        Entitlements entitlements,
        ApiDialect dialect,
        Function<Granularity, Optional<LocalDate>> lastPeriods,
        SentBody sent) {

    /** For a body of v3 where nothing is known of the data. */
    public static RequestContext of(Entitlements entitlements, ApiDialect dialect) {
        return new RequestContext(entitlements, dialect, granularity -> Optional.empty(), SentBody.V3);
    }

    /**
     * How a body was sent.
     *
     * @param names how sentences name its fields
     * @param errors sentences about what was wrong before it was a body of v3, at most a hundred
     * @param more number of further ones
     * @param openEnd whether a start_date alone asks for all periods up to the newest
     */
    public record SentBody(FieldNames names, List<String> errors, long more, boolean openEnd) {
        public static final SentBody V3 = new SentBody((field, path) -> field, List.of(), 0, false);

        public SentBody {
            errors = List.copyOf(errors);
        }

        /** The result for a body that could not be checked any further. */
        public CheckedRequest.Invalid invalid() {
            return new RequestProblems(this).invalid();
        }
    }

    /** Names the fields of a body of v3 as the client has sent them. */
    @FunctionalInterface
    public interface FieldNames {
        /**
         * @param field the name in v3, for example {@code age_group}, or a path that begins with it
         * @param path where the body of v3 has the field, for example {@code filters.age_groups};
         *     null where it does not have it, or {@code field} is a path
         */
        String of(String field, @Nullable String path);
    }
}
