package millrace.gateway.server;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The query parameters of a route. A request with another one, or with one of {@code value} twice,
 * is refused before the route is asked. A route without this takes none.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface TakesParameters {
    String VALUE = "value";
    String LISTS = "lists";

    String[] value() default {};

    /** Those with several words, which are separated by commas or come one by one. */
    String[] lists() default {};
}
