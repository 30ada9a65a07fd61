package millrace.simulation.rendering;

import java.util.LinkedHashSet;
import java.util.Set;

/** The report store: names of the files that are there. It outlives processes, and all of them see it. */
public final class SimulatedFiles {
    private final Set<String> names = new LinkedHashSet<>();
    private long made;

    /** A file of a name that no other has. */
    public String create(String prefix) {
        String name = prefix + "-" + ++made + ".csv";
        names.add(name);
        return name;
    }

    public boolean has(String name) {
        return names.contains(name);
    }

    public void delete(String name) {
        names.remove(name);
    }
}
