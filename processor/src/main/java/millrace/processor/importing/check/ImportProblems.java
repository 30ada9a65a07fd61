package millrace.processor.importing.check;

import java.util.ArrayList;
import java.util.List;
import millrace.catalog.text.Text;

/** What is wrong with the files, each as one line {@code place: sentence}. All are counted, the first hundred are kept. */
public final class ImportProblems {
    private static final int SHOWN = 100;

    private final List<String> first = new ArrayList<>();
    private long count;

    public void add(String place, String sentence) {
        if (count++ < SHOWN) {
            first.add(place + ": " + sentence);
        }
    }

    /** Counts more of them that nobody would see. */
    public void addUnlisted(long more) {
        count += more;
    }

    public boolean none() {
        return count == 0;
    }

    public long count() {
        return count;
    }

    /** At most a hundred, then {@code and N more}. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(first);
        if (count > first.size()) {
            lines.add("and " + Text.number(count - first.size()) + " more");
        }
        return lines;
    }
}
