package millrace.gateway.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.Hashes;
import millrace.runtime.cli.TextFile;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;

/** Who may use the admin API: names by the hashes of their keys. */
final class AdminKeys {
    private static final int SHORTEST = 16;
    private static final String HASHED = "sha256:";

    private final Map<String, String> nameBySha256;

    private AdminKeys(Map<String, String> nameBySha256) {
        this.nameBySha256 = nameBySha256;
    }

    /**
     * Reads lines of a name and a key (or a key alone), or {@code sha256:} and its hash; {@code #} begins a comment.
     *
     * @throws SettingsException in one line, without a key in it
     */
    static AdminKeys read(Path file) {
        try {
            return parse(TextFile.read(file), file.toString());
        } catch (IOException e) {
            throw new SettingsException("gateway.admin.keys " + file + " cannot be read: " + e);
        }
    }

    static AdminKeys parse(String text, String where) {
        Map<String, String> names = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String stripped = line.strip();
            if (!stripped.isEmpty() && !stripped.startsWith("#")) {
                add(names, stripped, where + ", line " + number);
            }
        }
        if (names.isEmpty()) {
            throw new SettingsException(
                    "gateway.admin.keys " + where + " has no key: write a line with a name and a key");
        }
        return new AdminKeys(names);
    }

    /** Of the key's owner; empty for an unknown key or none. */
    Optional<String> name(@Nullable String key) {
        if (key == null) {
            return Optional.empty();
        }
        String sha256 = Hashes.sha256(key);
        // All are compared, each in equal time.
        return nameBySha256.entrySet().stream()
                .filter(e -> Hashes.same(e.getKey(), sha256))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static void add(Map<String, String> names, String line, String where) {
        // A key alone is that of "admin".
        String[] words = (line.matches("\\S+") ? "admin " + line : line).split("\\s+", -1);
        if (words.length != 2 || !words[0].matches("[A-Za-z0-9._-]{1,64}")) {
            throw new SettingsException("gateway.admin.keys " + where + " is not a name and a key");
        }
        String key = words[1];
        boolean hashed = key.startsWith(HASHED);
        if (hashed ? !key.substring(HASHED.length()).matches("[0-9a-f]{64}") : key.length() < SHORTEST) {
            throw new SettingsException("gateway.admin.keys " + where + ": the key must have " + SHORTEST
                    + " characters or more, or be sha256: and 64 lower-case hex digits");
        }
        String sha256 = hashed ? key.substring(HASHED.length()) : Hashes.sha256(key);
        if (names.containsValue(words[0]) || names.put(sha256, words[0]) != null) {
            throw new SettingsException("gateway.admin.keys " + where + ": name or key is there twice");
        }
    }
}
