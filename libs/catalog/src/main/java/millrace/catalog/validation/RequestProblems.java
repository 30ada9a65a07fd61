package millrace.catalog.validation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import millrace.catalog.text.Text;

/**
 * Collects the errors and warnings of a request as sentences. A million errors cost no more than
 * the hundred that are shown.
 */
final class RequestProblems {
    static final int SHOWN = 100;

    private final RequestContext.FieldNames names;
    /** Where the body has the fields of v3. */
    private final Map<String, String> paths = new HashMap<>();

    private final List<String> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private long more;

    /** Begins with the errors that were found before. */
    RequestProblems(RequestContext.SentBody sent) {
        names = sent.names();
        errors.addAll(sent.errors());
        more = sent.more();
    }

    /**
     * Notes where the body has a field. The first place counts.
     *
     * @param path as it is spelled, for example {@code filters.age_groups}
     */
    void sent(String field, String path) {
        paths.putIfAbsent(field, path);
    }

    /** Adds {@code field: sentence}. The sentence is only built where it is shown. */
    void error(String field, Supplier<String> sentence) {
        if (errors.size() < SHOWN) {
            errors.add(name(field) + ": " + sentence.get());
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
        warnings.add(name(field) + ": " + sentence);
    }

    /** A warning that the report differs from what the body says. */
    void change(String field, String sentence) {
        warning(field, sentence);
        changes.add(warnings.getLast());
    }

    private String name(String field) {
        return names.of(field, paths.get(field));
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

    /** Those of the warnings that say how the report differs from what the body says. */
    List<String> changes() {
        return changes;
    }

    CheckedRequest.Invalid invalid() {
        List<String> all = new ArrayList<>(errors);
        if (more > 0) {
            all.add("and " + Text.number(more) + " more");
        }
        return new CheckedRequest.Invalid(all, warnings);
    }
}
