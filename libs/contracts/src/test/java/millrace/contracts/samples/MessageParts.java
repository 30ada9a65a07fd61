package millrace.contracts.samples;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a message can be made of, and what a value is made of: its records, the words of its enums, and each optional component
 * with and without a value.
 */
public final class MessageParts {
    private final Set<String> names = new TreeSet<>();

    private MessageParts() {}

    static Set<String> ofType(Type type) {
        var parts = new MessageParts();
        parts.addType(type);
        return parts.names;
    }

    static Set<String> ofValue(Object value) {
        var parts = new MessageParts();
        parts.addValue(value);
        return parts.names;
    }

    private void addType(Type type) {
        if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(this::addType);
        } else if (type instanceof Class<?> c && c.isSealed()) {
            Arrays.stream(c.getPermittedSubclasses()).forEach(this::addType);
        } else if (type instanceof Class<?> c && c.isEnum()) {
            Arrays.stream(c.getEnumConstants()).forEach(this::addValue);
        } else if (type instanceof Class<?> c && c.isRecord() && names.add(name(c))) {
            for (RecordComponent component : c.getRecordComponents()) {
                if (optional(component)) {
                    names.add(name(component, true));
                    names.add(name(component, false));
                }
                addType(component.getGenericType());
            }
        }
    }

    private void addValue(Object value) {
        switch (value) {
            case Collection<?> many -> many.forEach(this::addValue);
            case Map<?, ?> many -> many.values().forEach(this::addValue);
            case Enum<?> word -> names.add(name(word.getDeclaringClass()) + "." + word.name());
            case Record message -> {
                names.add(name(message.getClass()));
                for (RecordComponent component : message.getClass().getRecordComponents()) {
                    Object part = read(component, message);
                    if (optional(component)) {
                        names.add(name(component, part != null));
                    }
                    if (part != null) {
                        addValue(part);
                    }
                }
            }
            default -> {}
        }
    }

    public static boolean optional(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static @Nullable Object read(RecordComponent component, Object message) {
        try {
            return component.getAccessor().invoke(message);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(component + " cannot be read", e);
        }
    }

    private static String name(RecordComponent component, boolean present) {
        String name = name(Objects.requireNonNull(component.getDeclaringRecord())) + "." + component.getName();
        return present ? name + " with a value" : name + " without a value";
    }

    private static String name(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }
}
