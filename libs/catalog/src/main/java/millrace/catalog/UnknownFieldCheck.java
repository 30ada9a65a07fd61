package millrace.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import millrace.catalog.text.NearestName;

/**
 * Finds fields that a record does not have, before the record is created: a misspelt field is the
 * cause, and the missing field only its consequence.
 */
final class UnknownFieldCheck {
    private final String file;

    UnknownFieldCheck(String file) {
        this.file = file;
    }

    /** @throws CatalogException for the first field of the tree that the type does not have */
    void check(JsonNode node, Type type, String path) {
        if (type instanceof Class<?> record && record.isRecord() && node.isObject()) {
            Map<String, Type> known = components(record);
            node.properties().forEach(field -> {
                Type fieldType = known.get(field.getKey());
                String fieldPath = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                if (fieldType == null) {
                    throw new CatalogException(
                            file,
                            fieldPath + ": is not a field here" + NearestName.suggestion(field.getKey(), known.keySet())
                                    + "; accepted: " + String.join(", ", known.keySet()));
                }
                check(field.getValue(), fieldType, fieldPath);
            });
        } else if (type instanceof ParameterizedType list && node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                check(node.get(i), list.getActualTypeArguments()[0], path + "[" + i + "]");
            }
        }
    }

    private static Map<String, Type> components(Class<?> record) {
        Map<String, Type> names = new LinkedHashMap<>();
        Arrays.stream(record.getRecordComponents()).forEach(c -> names.put(name(c), c.getGenericType()));
        return names;
    }

    private static String name(RecordComponent component) {
        return PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName());
    }
}
