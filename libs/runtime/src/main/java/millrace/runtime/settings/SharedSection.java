package millrace.runtime.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that the settings of a record have one prefix, whatever record it is a component of: several services have
 * them, and in one process they are the same.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SharedSection {
    /** The prefix. */
    String value();
}
