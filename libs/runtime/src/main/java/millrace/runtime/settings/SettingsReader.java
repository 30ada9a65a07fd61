package millrace.runtime.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.runtime.settings.Settings.DeclaredSetting;
import org.jspecify.annotations.Nullable;

/** Creates settings records from flat keys and values. */
final class SettingsReader {
    private SettingsReader() {}

    /** The keys of a record's settings, nested records included; a map has any keys. */
    static Stream<DeclaredSetting> keys(String prefix, Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).flatMap(c -> {
            String name = key(prefix, c);
            if (c.getType() == Map.class) {
                return Stream.of();
            }
            return c.getType().isRecord() ? keys(name, c.getType()) : Stream.of(declared(name, c));
        });
    }

    private static DeclaredSetting declared(String name, RecordComponent component) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            throw new IllegalStateException(component + " has no @Setting");
        }
        return new DeclaredSetting(
                name, List.of(setting.formerly()), setting.value(), setting.first(), setting.advanced(), setting.doc());
    }

    private static String key(String prefix, RecordComponent component) {
        SharedSection shared = component.getType().getAnnotation(SharedSection.class);
        return shared == null ? prefix + "." + kebab(component.getName()) : shared.value();
    }

    static <T> T read(String prefix, Class<T> type, Map<String, String> values) {
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            arguments[i] = component(prefix, components[i], values);
        }
        return construct(prefix, type, components, arguments);
    }

    private static @Nullable Object component(String prefix, RecordComponent component, Map<String, String> values) {
        String key = key(prefix, component);
        if (component.getType().isRecord()) {
            return read(key, component.getType(), values);
        }
        if (component.getType() == Map.class) {
            return below(key + ".", values);
        }
        String value = values.get(key);
        if (value == null) {
            value = declared(key, component).defaultValue();
        }
        if (value.isEmpty()) {
            if (component.getType() == List.class) {
                return List.of();
            }
            if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                return null;
            }
            throw new SettingsException("setting " + key + " is missing");
        }
        if (component.getType() == List.class) {
            Class<?> element = (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
            return Arrays.stream(value.split(","))
                    .map(v -> convert(key, v.strip(), element))
                    .toList();
        }
        return convert(key, value.strip(), component.getType());
    }

    private static Map<String, String> below(String prefix, Map<String, String> values) {
        return values.entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .collect(Collectors.toMap(e -> e.getKey().substring(prefix.length()), Map.Entry::getValue));
    }

    private static Object convert(String key, String value, Class<?> type) {
        try {
            return switch (type.getName()) {
                case "int", "java.lang.Integer" -> Integer.valueOf(value);
                case "long", "java.lang.Long" -> Long.valueOf(value);
                case "boolean" -> bool(value);
                case "java.lang.String" -> value;
                case "java.nio.file.Path" -> Path.of(value);
                case "java.net.URI" -> URI.create(value);
                case "java.time.LocalDate" -> LocalDate.parse(value);
                case "java.time.Duration" -> duration(value);
                default -> throw new IllegalStateException("no settings of type " + type);
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new SettingsException("setting " + key + " is " + expected(type) + ", not \"" + value + "\"");
        }
    }

    private static String expected(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "int", "Integer", "long", "Long" -> "a whole number";
            case "boolean" -> "true or false";
            case "Path" -> "a path";
            case "URI" -> "an address";
            case "LocalDate" -> "a date like 2026-01-31";
            case "Duration" -> "a duration like 500ms, 5s, 10m, 2h or 30d";
            default -> "a " + type.getSimpleName();
        };
    }

    private static boolean bool(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(value);
        };
    }

    private static Duration duration(String value) {
        String unit = value.replaceFirst("^[0-9]+", "");
        long n = Long.parseLong(value.substring(0, value.length() - unit.length()));
        return switch (unit) {
            case "ms" -> Duration.ofMillis(n);
            case "s" -> Duration.ofSeconds(n);
            case "m" -> Duration.ofMinutes(n);
            case "h" -> Duration.ofHours(n);
            case "d" -> Duration.ofDays(n);
            default -> throw new IllegalArgumentException(value);
        };
    }

    private static <T> T construct(
            String prefix, Class<T> type, RecordComponent[] components, @Nullable Object[] arguments) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw new SettingsException("setting " + prefix + ": " + refused.getMessage());
            }
            throw new IllegalStateException("cannot make " + type, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }

    /** {@code maxBody} to {@code max-body}. */
    static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
