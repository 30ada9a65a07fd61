package millrace.files.entities;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts the names that a dictionary does not have while they are looked up, so that what was found in time counts. For one
 * thread.
 */
public final class MissingNames {
    private final int shown;
    private final List<String> first = new ArrayList<>();
    private int checked;
    private int count;

    /** @param shown most names that are kept */
    public MissingNames(int shown) {
        this.shown = shown;
    }

    /** A name was looked up. */
    public void looked(String name, boolean found) {
        checked++;
        if (!found) {
            count++;
            if (first.size() < shown) {
                first.add(name);
            }
        }
    }

    /** Names that were looked up. */
    public int checked() {
        return checked;
    }

    /** How many of them are missing. */
    public int count() {
        return count;
    }

    /** The first ones that are missing. */
    public List<String> first() {
        return List.copyOf(first);
    }
}
