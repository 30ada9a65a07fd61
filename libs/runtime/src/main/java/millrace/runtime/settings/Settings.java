package millrace.runtime.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import millrace.runtime.cli.TextFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a process, from these sources, each overriding the one before: the defaults of
 * the records, a YAML file, the environment ({@code MILLRACE_GATEWAY_PORT} for {@code
 * gateway.port}), the command line. The environment may name a file that has the value ({@code
 * MILLRACE_STORAGE_S3_SECRET_KEY_FILE}), so that it need not contain secrets. An unknown key is an
 * error that names the most similar known one.
 */
public final class Settings {
    /** Keys below it are passed to the Kafka clients unchanged. */
    static final String CLIENT_PREFIX = KafkaSettings.PREFIX + ".client.";

    private static final Logger LOG = LoggerFactory.getLogger(Settings.class);

    /**
     * A setting as {@code --help} and the reference page show it.
     *
     * @param name dotted key
     * @param formerly the keys before it was renamed
     * @param defaultValue empty if there is none
     * @param first whether people set it first
     * @param advanced whether hardly anybody changes it
     */
    public record DeclaredSetting(
            String name, List<String> formerly, String defaultValue, boolean first, boolean advanced, String doc) {
        /** Whether its name or what it does contains the text, in any case. */
        boolean has(String text) {
            return (name + " " + doc).toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
        }
    }

    private final Map<String, Class<?>> sections;
    private final Map<String, String> values;

    private Settings(Map<String, Class<?>> sections, Map<String, String> values) {
        this.sections = sections;
        this.values = values;
    }

    /**
     * @param sections settings records of all settings, by prefix
     * @param file YAML, or null
     * @param environment the process' environment variables
     * @param arguments settings of the command line, by dotted key
     * @throws SettingsException where a key is unknown or the file cannot be read
     */
    public static Settings load(
            Map<String, Class<?>> sections,
            @Nullable Path file,
            Map<String, String> environment,
            Map<String, String> arguments) {
        Map<String, String> known = known(sections);
        Map<String, String> values = new LinkedHashMap<>();
        if (file != null) {
            values.putAll(current(yaml(file), known, "in " + file));
        }
        values.putAll(
                current(new EnvironmentSettings(environment, known.keySet()).values(), known, "in the environment"));
        values.putAll(current(arguments, known, "on the command line"));
        return new Settings(sections, values);
    }

    /** The values of one source by the current keys. */
    private static Map<String, String> current(Map<String, String> given, Map<String, String> known, String where) {
        Map<String, String> values = new LinkedHashMap<>();
        given.forEach((key, value) -> {
            String name = known(key, known, where);
            String other = values.put(name, value);
            if (other != null && !other.equals(value)) {
                throw new SettingsException("setting " + name + " has two values " + where + ", one of them as " + key);
            }
        });
        return values;
    }

    /** The same settings with other defaults than those of the records. */
    public Settings withDefaults(Map<String, String> defaults) {
        return merged(defaults, values);
    }

    /** The same settings with these values changed. */
    public Settings with(Map<String, String> changes) {
        return merged(values, changes);
    }

    private Settings merged(Map<String, String> weaker, Map<String, String> stronger) {
        Map<String, String> known = known(sections);
        Map<String, String> merged = new LinkedHashMap<>();
        merged.putAll(current(weaker, known, "in the program"));
        merged.putAll(current(stronger, known, "in the program"));
        return new Settings(sections, merged);
    }

    /** One section with these values, and the defaults of its other settings. */
    public static <T> T sectionOf(String prefix, Class<T> type, Map<String, String> values) {
        return load(Map.of(prefix, type), null, Map.of(), values).section(prefix, type);
    }

    /** The record of one section. */
    public <T> T section(String prefix, Class<T> type) {
        if (sections.get(prefix) != type) {
            throw new IllegalArgumentException("no section " + prefix + " of " + type);
        }
        return SettingsReader.read(prefix, type, values);
    }

    public KafkaSettings kafka() {
        return section(KafkaSettings.PREFIX, KafkaSettings.class);
    }

    public ManagementSettings management() {
        return section(ManagementSettings.PREFIX, ManagementSettings.class);
    }

    public DiskSettings disk() {
        return section(DiskSettings.PREFIX, DiskSettings.class);
    }

    /** The settings as a table for {@code --help}; empty if there are none. */
    private static String table(Map<String, Class<?>> sections, Predicate<DeclaredSetting> listed) {
        var text = new StringBuilder();
        declared(sections).stream()
                .filter(listed)
                .forEach(setting -> text.append(String.format(
                        Locale.ROOT, "  %-36s %s%s%n", setting.name(), setting.doc(), defaultOf(setting))));
        return text.toString();
    }

    /** The settings that people set first, or all. */
    public static String help(Map<String, Class<?>> sections, boolean all) {
        return table(sections, setting -> all || setting.first());
    }

    /** The settings whose names or descriptions contain a text; empty if there are none. */
    public static String find(Map<String, Class<?>> sections, String text) {
        return table(sections, setting -> setting.has(text));
    }

    /** All settings of these sections, in the order of the records. */
    public static List<DeclaredSetting> declared(Map<String, Class<?>> sections) {
        return sections.entrySet().stream()
                .flatMap(s -> SettingsReader.keys(s.getKey(), s.getValue()))
                .distinct() // several services have those of a shared section
                .toList();
    }

    private static String defaultOf(DeclaredSetting setting) {
        return setting.defaultValue().isEmpty() ? "" : " [" + setting.defaultValue() + "]";
    }

    /** The key of each setting, by that key and by those that it had before. */
    private static Map<String, String> known(Map<String, Class<?>> sections) {
        Map<String, String> known = new LinkedHashMap<>();
        for (DeclaredSetting setting : declared(sections)) {
            known.put(setting.name(), setting.name());
            setting.formerly().forEach(former -> known.put(former, setting.name()));
        }
        return known;
    }

    private static String known(String key, Map<String, String> known, String where) {
        if (key.startsWith(CLIENT_PREFIX)) {
            return key;
        }
        String name = known.get(key);
        if (name == null) {
            throw new SettingsException("unknown setting " + key + " " + where + "; did you mean "
                    + NearestKey.of(key, List.copyOf(known.values())) + "?");
        }
        if (!name.equals(key)) {
            LOG.warn("setting renamed, the next release refuses the old name old={} new={}", key, name);
        }
        return name;
    }

    private static Map<String, String> yaml(Path file) {
        try {
            JsonNode root = new YAMLMapper().readTree(TextFile.read(file));
            Map<String, String> flat = new LinkedHashMap<>();
            if (root != null && !root.isMissingNode() && !root.isNull()) {
                flatten("", root, flat, file);
            }
            return flat;
        } catch (NoSuchFileException e) {
            throw new SettingsException("settings file " + file + " does not exist");
        } catch (JsonProcessingException e) {
            throw new SettingsException("settings file " + file + " is not YAML: " + YamlErrorMessage.of(e));
        } catch (IOException e) {
            throw new SettingsException("settings file " + file + " cannot be read: " + e.getMessage());
        }
    }

    private static void flatten(String prefix, JsonNode node, Map<String, String> flat, Path file) {
        if (!node.isObject()) {
            throw new SettingsException("settings file " + file + ": expected keys and values"
                    + (prefix.isEmpty() ? "" : " below " + prefix));
        }
        node.properties().forEach(field -> {
            String key = prefix.isEmpty() ? field.getKey() : prefix + "." + field.getKey();
            JsonNode value = field.getValue();
            if (value.isObject()) {
                flatten(key, value, flat, file);
            } else if (value.isArray()) {
                var items = new java.util.ArrayList<String>();
                value.forEach(item -> items.add(item.asText()));
                flat.put(key, String.join(",", items));
            } else {
                flat.put(key, value.isNull() ? "" : value.asText());
            }
        });
    }
}
