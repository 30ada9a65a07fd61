package millrace.gateway.access;

/**
 * A rate that requests count against. Each account has one of each, so that who reads does not hold
 * up the programs that submit.
 */
public enum RequestRate {
    /** What makes, changes or ends something. */
    SUBMISSIONS("submit"),
    /** What reads, validates or previews. */
    READS("read");

    private final String policy;

    RequestRate(String policy) {
        this.policy = policy;
    }

    /** Its name in the headers {@code RateLimit} and {@code RateLimit-Policy}. */
    String policy() {
        return policy;
    }
}
