package millrace.client.cli.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.client.cli.output.Json;
import millrace.control.ControlFile;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TextFile;

/** The file with the profiles of this user. It has keys in it: nobody else may read it. */
public final class Profiles {
    public static final String DEFAULT = "default";
    private static final String PROFILES = "profiles";

    private final Path file;

    public Profiles(Path folder) {
        this.file = folder.resolve("profiles.json");
    }

    public Path file() {
        return file;
    }

    Optional<Profile> find(String name) throws CliException {
        JsonNode found = read().path(PROFILES).path(name);
        return found.isObject() && found.hasNonNull("url") && found.hasNonNull("key")
                ? Optional.of(new Profile(
                        found.path("url").asText(),
                        found.path("key").asText(),
                        found.hasNonNull("ca_file") ? found.path("ca_file").asText() : null))
                : Optional.empty();
    }

    List<String> names() throws CliException {
        List<String> names = new ArrayList<>();
        read().path(PROFILES).fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Adds a profile, or replaces the one with this name. */
    public void save(String name, Profile profile) throws CliException {
        ObjectNode all = read();
        ObjectNode one = all.withObjectProperty(PROFILES).putObject(name);
        one.put("url", profile.url());
        one.put("key", profile.key());
        if (profile.caFile() != null) {
            one.put("ca_file", profile.caFile());
        }
        try {
            ControlFile.writeSecret(Links.followed(file.toAbsolutePath()), Json.pretty(all) + "\n");
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, file + " cannot be written: " + Failures.reason(e));
        }
    }

    private ObjectNode read() throws CliException {
        if (Files.notExists(file)) {
            return Json.object();
        }
        try {
            if (Json.read(TextFile.read(file)) instanceof ObjectNode profiles) {
                return profiles;
            }
            throw damaged("it is no JSON object");
        } catch (JsonProcessingException e) {
            throw damaged(e.getOriginalMessage());
        } catch (IOException e) {
            throw damaged(Failures.reason(e));
        }
    }

    private CliException damaged(String reason) {
        return new CliException(
                ExitCodes.LOCAL, file + " cannot be read: " + reason + "; mend it, or delete it and log in again");
    }
}
