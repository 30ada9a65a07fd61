package millrace.gateway.access;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import millrace.contracts.accounts.KeyScope;

/** The scopes that a key needs for a route: each of them. A route without this is for keys that have all. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RequiredScopes {
    KeyScope[] value();
}
