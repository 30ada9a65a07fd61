package millrace.runtime.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a setting as a component of a settings record. Its key is the component's name in kebab
 * case below the record's prefix.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /**
     * The default. Empty means that there is none: the setting is required, or null where the
     * component is nullable.
     */
    String value() default "";

    /** The keys that this setting had before it was renamed; accepted with a warning until the next release. */
    String[] formerly() default {};

    /** Whether it is one of the few that people set first: {@code --help} lists these only. */
    boolean first() default false;

    /** Whether hardly anybody changes it. */
    boolean advanced() default false;

    /** One line for {@code --help}. */
    String doc();
}
