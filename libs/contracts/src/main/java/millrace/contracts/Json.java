package millrace.contracts;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.NumberInput;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.datatype.jsr310.deser.InstantDeserializer;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON mapper of topics and API answers. It writes snake_case, times as RFC 3339 in UTC
 * with milliseconds, and no nulls. It reads strictly (no missing, null or duplicate fields, no
 * coercion, no trailing text), but ignores unknown fields, since adding a field is compatible.
 */
public final class Json {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** What {@link #format} writes, with a 0 for each digit. */
    private static final String FORM = "0000-00-00T00:00:00.000Z";

    /** Of about 400 KB at most each. */
    private static final int BUFFERS = 16;

    public static final JsonMapper MAPPER = strict(JsonMapper.builder(
                    JsonFactory.builder().recyclerPool(buffers()).build()))
            .build();

    private Json() {}

    /**
     * Keeps the buffers of a factory's parsers and generators. By default each thread has its own,
     * so that each request, which has a virtual thread, would make new ones.
     */
    public static RecyclerPool<BufferRecycler> buffers() {
        return JsonRecyclerPools.newBoundedPool(BUFFERS);
    }

    /** Formats an instant as {@code 2026-11-02T08:15:30.120Z}. */
    public static String format(Instant instant) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC);
        if (time.getYear() < 0 || time.getYear() > 9999) {
            return MILLIS.format(instant);
        }
        // Each command of the ledger formats some fifteen, and DateTimeFormatter takes several times as long.
        byte[] text = FORM.getBytes(StandardCharsets.ISO_8859_1);
        put(text, 4, time.getYear());
        put(text, 7, time.getMonthValue());
        put(text, 10, time.getDayOfMonth());
        put(text, 13, time.getHour());
        put(text, 16, time.getMinute());
        put(text, 19, time.getSecond());
        put(text, 23, time.getNano() / 1_000_000);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /**
     * The instant that {@link #format} has written, or null where the text has another form. {@code
     * DateTimeFormatter} takes many times as long, and each record has one or more.
     */
    private static @Nullable Instant parse(char[] text, int from, int length) {
        if (length != FORM.length()) {
            return null;
        }
        for (int i = 0; i < length; i++) {
            char expected = FORM.charAt(i);
            char found = text[from + i];
            if (expected == '0' ? found < '0' || found > '9' : found != expected) {
                return null;
            }
        }
        try {
            return LocalDateTime.of(
                            NumberInput.parseInt(text, from, 4),
                            NumberInput.parseInt(text, from + 5, 2),
                            NumberInput.parseInt(text, from + 8, 2),
                            NumberInput.parseInt(text, from + 11, 2),
                            NumberInput.parseInt(text, from + 14, 2),
                            NumberInput.parseInt(text, from + 17, 2),
                            NumberInput.parseInt(text, from + 20, 3) * 1_000_000)
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null; // for example 30 February, or a leap second
        }
    }

    /** Writes the number's digits so that they end before the index. */
    private static void put(byte[] text, int end, int number) {
        int place = end;
        for (int rest = number; rest > 0; rest /= 10) {
            text[--place] = (byte) ('0' + rest % 10);
        }
    }

    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + value.getClass(), e);
        }
    }

    public static String text(Object value) {
        return new String(bytes(value), StandardCharsets.UTF_8);
    }

    /** Applies the same rules to another Jackson format, for example YAML. */
    public static <M extends ObjectMapper, B extends MapperBuilder<M, B>> B strict(B builder) {
        var time = new JavaTimeModule();
        time.addSerializer(Instant.class, new InstantSerializer());
        time.addDeserializer(Instant.class, new MillisDeserializer());
        return builder.addModule(time)
                .annotationIntrospector(new RequiredComponents())
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
    }

    /** A record's component is required unless it is {@link Nullable}. */
    private static final class RequiredComponents extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
            return component(member) ? Boolean.TRUE : super.hasRequiredMarker(member);
        }

        @Override
        public JsonSetter.Value findSetterInfo(Annotated member) {
            return component(member) ? JsonSetter.Value.forValueNulls(Nulls.FAIL) : super.findSetterInfo(member);
        }

        private static boolean component(Annotated member) {
            if (!(member instanceof AnnotatedParameter parameter)
                    || !parameter.getDeclaringClass().isRecord()
                    || parameter.getOwner().getParameterCount()
                            != parameter.getDeclaringClass().getRecordComponents().length) {
                return false;
            }
            RecordComponent component = parameter.getDeclaringClass().getRecordComponents()[parameter.getIndex()];
            return !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        }
    }

    private static final class InstantSerializer extends StdSerializer<Instant> {
        private static final long serialVersionUID = 1;

        InstantSerializer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(format(value));
        }
    }

    /** Reads what {@link #format} writes at once, and leaves all else to Jackson. */
    private static final class MillisDeserializer extends StdScalarDeserializer<Instant> {
        private static final long serialVersionUID = 1;

        MillisDeserializer() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
            Instant known = in.hasToken(JsonToken.VALUE_STRING)
                    ? parse(in.getTextCharacters(), in.getTextOffset(), in.getTextLength())
                    : null;
            return known != null ? known : InstantDeserializer.INSTANT.deserialize(in, context);
        }
    }
}
