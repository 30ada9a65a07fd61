package millrace.gateway.admin;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the admin API is, and the key for it: as typed, else from the environment, else what {@code ./millrace} left in its data
 * folder, else the usual port of this machine.
 *
 * @param certificates PEM file of those to trust; null: those that this Java trusts
 */
record Access(URI address, String key, @Nullable Path certificates) {
    static final String ADDRESS = "MILLRACE_ADMIN_ADDRESS";
    static final String KEY = "MILLRACE_ADMIN_KEY";
    private static final String USUAL = "http://127.0.0.1:8081";

    static Access find(Typed typed, Map<String, String> environment) throws Wrong {
        String folder = typed.option("data");
        Path data = Path.of(folder == null ? "data" : folder);
        String certificates = typed.option("ca-file");
        return new Access(
                address(typed, environment, data),
                key(typed, environment, data),
                certificates == null ? null : Path.of(certificates));
    }

    private static URI address(Typed typed, Map<String, String> environment, Path data) throws Wrong {
        String said = typed.option("address") == null ? environment.get(ADDRESS) : typed.option("address");
        String text = said == null ? noted(data.resolve("admin.yaml")) : said;
        try {
            URI address = URI.create(text == null ? USUAL : text);
            if (address.getHost() == null) {
                throw new IllegalArgumentException("no host");
            }
            return address;
        } catch (IllegalArgumentException e) {
            throw new Wrong("the address must be like " + USUAL + ": " + text);
        }
    }

    private static @Nullable String noted(Path note) throws Wrong {
        if (Files.notExists(note)) {
            return null;
        }
        return read(note)
                .lines()
                .filter(line -> line.startsWith("address: "))
                .map(line -> line.substring("address: ".length()).strip())
                .findFirst()
                .orElse(null);
    }

    private static String key(Typed typed, Map<String, String> environment, Path data) throws Wrong {
        String named = typed.option("key-file");
        String inEnvironment = environment.get(KEY);
        if (named == null && inEnvironment != null) {
            return inEnvironment.strip();
        }
        Path file = named == null ? data.resolve("admin-keys") : Path.of(named);
        if (named == null && Files.notExists(file)) {
            throw new Wrong("no admin key: set " + KEY + ", or name a file with --key-file, or the data folder of"
                    + " ./millrace with --data");
        }
        // A key alone, or the first of a file as the gateway has it.
        return read(file)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.contains("sha256:"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow(() -> new Wrong(file + " has no key in it"));
    }

    private static String read(Path file) throws Wrong {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new Wrong("there is no file " + file);
        } catch (IOException e) {
            throw new Wrong(file + " cannot be read: " + e);
        }
    }
}
