package millrace.runtime.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.runtime.cli.TextFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings from the environment: {@code MILLRACE_…} has the value, {@code MILLRACE_…_FILE}
 * names a file that has it.
 */
final class EnvironmentSettings {
    private static final String PREFIX = "MILLRACE_";
    private static final String FILE = "_FILE";
    /** Of the commands of clients, which run in the same shells. */
    private static final Set<String> OF_CLIENTS = Set.of("MILLRACE_URL", "MILLRACE_KEY");

    private static final String CLIENT = variable(Settings.CLIENT_PREFIX);

    private final Map<String, String> environment;
    private final Map<String, String> keys;

    /** @param known keys of all settings */
    EnvironmentSettings(Map<String, String> environment, Collection<String> known) {
        this.environment = environment;
        this.keys = known.stream()
                .collect(Collectors.toMap(EnvironmentSettings::variable, k -> k, (a, b) -> a, TreeMap::new));
    }

    /**
     * The values by key.
     *
     * @throws SettingsException where a variable is unknown, is given both ways, or its file cannot
     *     be read
     */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        environment.forEach((variable, value) -> {
            if (variable.startsWith(PREFIX) && !OF_CLIENTS.contains(variable)) {
                String key = key(variable);
                if (key == null) {
                    values.put(keyOfFile(variable), read(variable, value));
                } else {
                    values.put(key, value);
                }
            }
        });
        return values;
    }

    private @Nullable String key(String variable) {
        String known = keys.get(variable);
        if (known != null || !variable.startsWith(CLIENT) || variable.endsWith(FILE)) {
            return known;
        }
        return Settings.CLIENT_PREFIX
                + variable.substring(CLIENT.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** The key whose value is in the file that this variable names. */
    private String keyOfFile(String variable) {
        String plain = variable.endsWith(FILE) ? variable.substring(0, variable.length() - FILE.length()) : variable;
        String key = key(plain);
        if (key == null || plain.equals(variable)) {
            throw new SettingsException("unknown setting " + variable + " in the environment; did you mean "
                    + NearestKey.of(variable, List.copyOf(keys.keySet())) + "?");
        }
        if (environment.containsKey(plain)) {
            throw new SettingsException(plain + " and " + variable + " are both in the environment; give one of them");
        }
        return key;
    }

    private static String read(String variable, String file) {
        try {
            return TextFile.read(Path.of(file)).strip();
        } catch (IOException e) {
            throw new SettingsException(variable + " names " + file + ", which cannot be read: " + e);
        }
    }

    private static String variable(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
