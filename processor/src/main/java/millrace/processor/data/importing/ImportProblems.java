package millrace.processor.data.importing;

import millrace.catalog.text.Text;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects the problems of the files, each as a line {@code place: sentence}. All are counted, the first hundred are
 * kept.
 */
final class ImportProblems {
    private static final int SHOWN = 100;

    private final List<String> first = new ArrayList<>();
    private long count;

    public void add(String place, String sentence) {
        if (count++ < SHOWN) {
            first.add(place + ": " + sentence);
        }
    }

    /** Counts further problems that are not kept. */
    void addUnlisted(long more) {
        count += more;
    }

    public boolean none() {
        return count == 0;
    }

    public long count() {
        return count;
    }

    /** At most a hundred lines, then {@code and N more}. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(first);
        if (count > first.size()) {
            lines.add("and " + Text.number(count - first.size()) + " more");
        }
        return lines;
    }
}
