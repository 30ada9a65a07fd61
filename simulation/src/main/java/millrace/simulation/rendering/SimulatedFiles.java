package millrace.simulation.rendering;

import java.util.LinkedHashSet;
import java.util.Set;

/** The simulated report store, which has only names of files. All processes share it. */
public final class SimulatedFiles {
    private final Set<String> names = new LinkedHashSet<>();
    private long made;

    /** Creates a file with a unique name. */
    public String create(String prefix) {
        String name = prefix + "-" + ++made + ".csv";
        names.add(name);
        return name;
    }

    public boolean has(String name) {
        return names.contains(name);
    }

    /** Deletes a file, or all whose names begin with a name that ends with {@code /}. */
    public void delete(String name) {
        names.removeIf(name.endsWith("/") ? file -> file.startsWith(name) : name::equals);
    }
}
