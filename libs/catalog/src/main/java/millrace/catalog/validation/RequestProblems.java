package millrace.catalog.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import millrace.catalog.text.Text;

/**
 * Collects the errors and warnings of a request as sentences. A million errors cost no more than
 * the hundred that are shown.
 */
final class RequestProblems {
    static final int SHOWN = 100;

    private final List<String> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private long more;

    /** Adds {@code field: sentence}. The sentence is only built where it is shown. */
    void error(String field, Supplier<String> sentence) {
        if (errors.size() < SHOWN) {
            errors.add(field + ": " + sentence.get());
        } else {
            more++;
        }
    }

    void error(String field, String sentence) {
        error(field, () -> sentence);
    }

    /** Counts errors that are not shown. */
    void more(long unshown) {
        more += unshown;
    }

    void warning(String field, String sentence) {
        warnings.add(field + ": " + sentence);
    }

    void duplicates(String field, long dropped) {
        if (dropped > 0) {
            warning(
                    field,
                    Text.number(dropped) + (dropped == 1 ? " duplicate was dropped" : " duplicates were dropped"));
        }
    }

    boolean none() {
        return errors.isEmpty();
    }

    List<String> warnings() {
        return warnings;
    }

    CheckedRequest.Invalid invalid() {
        List<String> all = new ArrayList<>(errors);
        if (more > 0) {
            all.add("and " + Text.number(more) + " more");
        }
        return new CheckedRequest.Invalid(all, warnings);
    }
}
