package millrace.catalog.original;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import millrace.catalog.validation.RequestContext.FieldNames;
import millrace.catalog.validation.RequestContext.SentBody;

/** Collects what is wrong with a body before it is a body of v3. Of very many errors the first hundred are kept. */
final class BodyErrors {
    private static final int KEPT = 100;

    private final List<String> errors = new ArrayList<>();
    private long more;

    /** Adds {@code field: sentence}. The sentence is only built where it is kept. */
    void add(String field, Supplier<String> sentence) {
        if (errors.size() < KEPT) {
            errors.add(field + ": " + sentence.get());
        } else {
            more++;
        }
    }

    void add(String field, String sentence) {
        add(field, () -> sentence);
    }

    SentBody sent(FieldNames names, boolean openEnd) {
        return new SentBody(names, errors, more, openEnd);
    }
}
